import { type Progress, RESULT_CODES, type ResultCode, STATUSES, type Status } from './request.ts';

/** Counts of an event's requests. A tally is a fold over every move its requests made. */
export interface Tally {
  readonly byStatus: Readonly<Record<Status, number>>;
  readonly byResultCode: Readonly<Record<ResultCode, number>>;
  /** Redriven after the event had sold out, and so rejected. */
  readonly displaced: number;
}

export type MutableTally = {
  byStatus: Record<Status, number>;
  byResultCode: Record<ResultCode, number>;
  displaced: number;
};

export function emptyTally(): MutableTally {
  return {
    byStatus: zeroes(STATUSES),
    byResultCode: zeroes(RESULT_CODES),
    displaced: 0,
  };
}

/** Counts one request's move; `before` is null when the request is new. */
export function countMove(tally: MutableTally, before: Progress | null, after: Progress): void {
  if (before !== null) count(tally, before, -1);
  count(tally, after, 1);
}

export function isDisplaced(progress: Progress): boolean {
  return progress.redriven && progress.resultCode === 'REJECTED_CAPACITY';
}

function count(tally: MutableTally, progress: Progress, by: 1 | -1): void {
  tally.byStatus[progress.status] += by;
  if (progress.resultCode !== null) tally.byResultCode[progress.resultCode] += by;
  if (isDisplaced(progress)) tally.displaced += by;
}

function zeroes<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
