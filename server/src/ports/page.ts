/** Where a list goes on, in the engine's own words; null at its end. Opaque to everyone else. */
export type Position = string;

export interface PageRequest {
  readonly limit: number;
  readonly after: Position | null;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: Position | null;
}

/** A position that the engine never gave out. */
export class BadPosition extends Error {
  constructor() {
    super('The position is not one of this list.');
    this.name = 'BadPosition';
  }
}
