import type { Request } from '../domain/request.ts';

export interface Standing {
  /** People ahead in the same event; null once processing, or where the engine cannot know. */
  readonly position: number | null;
  readonly etaMs: number | null;
}

/** Of whoever does not wait. */
export const notInLine: Standing = { position: null, etaMs: null };

export interface Line {
  standingOf(request: Request): Standing;
}
