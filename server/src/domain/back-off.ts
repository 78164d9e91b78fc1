/**
 * How long a message waits after its nth failed attempt: doubling, with half of it left to chance
 * so that messages which failed together do not come back together.
 */
export function backOffMs(attempt: number, chance: number, limitMs: number): number {
  const full = Math.min(limitMs, firstBackOffMs * 2 ** (attempt - 1));
  return Math.round(full / 2 + (full / 2) * chance);
}

const firstBackOffMs = 250;
