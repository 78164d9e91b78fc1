import { isFinal, type Progress, type Request, type Status } from './request.ts';

export type UiResult = 'PENDING' | 'SUCCESS' | 'REJECTED' | 'FAILED';
export type Step = 'RECEIVED' | 'QUEUED' | 'PROCESSING' | 'DONE';

export function uiResultOf(status: Status): UiResult {
  if (status === 'SUCCEEDED') return 'SUCCESS';
  if (status === 'REJECTED') return 'REJECTED';
  return status === 'FAILED_FINAL' ? 'FAILED' : 'PENDING';
}

/** DONE is a step of the page and never a stored status. */
export function stepOf(status: Status): Step {
  if (status === 'RECEIVED' || status === 'QUEUED' || status === 'PROCESSING') return status;
  return 'DONE';
}

export function queueDelayMs(request: Delays): number | null {
  return elapsed(request.queuedAt, request.startedAt);
}

export function e2eDelayMs(request: Delays): number | null {
  return elapsed(request.queuedAt, request.finishedAt);
}

/** Whole seconds until a look is worth it again: soon near the front, seldom far behind. */
export function retryAfterSeconds(request: Progress, etaMs: number | null): number | undefined {
  if (isFinal(request.status)) return undefined;
  if (etaMs === null) return 1;
  return Math.min(retryAfterSecondsMax, Math.max(1, Math.round(etaMs / 2000)));
}

type Delays = Pick<Request, 'queuedAt' | 'startedAt' | 'finishedAt'>;

function elapsed(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : to - from;
}

const retryAfterSecondsMax = 30;
