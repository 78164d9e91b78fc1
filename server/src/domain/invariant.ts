/** Says what must hold. A broken invariant is a bug of ours, never bad input. */
export function invariant(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(`Invariant broken: ${message}`);
}
