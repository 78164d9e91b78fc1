import type { EventId, RequestId, UserId } from './ids.ts';
import { invariant } from './invariant.ts';

export const STATUSES = [
  'RECEIVED',
  'QUEUED',
  'PROCESSING',
  'SUCCEEDED',
  'REJECTED',
  'FAILED_FINAL',
] as const;
export type Status = (typeof STATUSES)[number];

export const RESULT_CODES = [
  'SUCCESS',
  'LOTTERY_WIN',
  'REJECTED_CAPACITY',
  'REJECTED_LOTTERY_LOSE',
  'REJECTED_CLOSED',
  'REJECTED_VOIDED',
  'REJECTED_DUPLICATE',
  'FAILED_INGEST_ENQUEUE',
  'FAILED_WORKER',
  'FAILED_VALIDATION',
  'FAILED_SERDE',
] as const;
export type ResultCode = (typeof RESULT_CODES)[number];

export const EVENT_TYPES = ['FIRST_COME', 'LOTTERY', 'ATTENDANCE', 'RANDOM'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const FAILURE_CLASSES = ['RETRYABLE', 'NON_RETRYABLE'] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export interface Failure {
  readonly failureClass: FailureClass;
  readonly errorCode: string;
  readonly errorMessage: string;
}

/** The part of a request that moves; everything else about it is written once. */
export interface Progress {
  readonly status: Status;
  readonly resultCode: ResultCode | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly failure: Failure | null;
  /** An operator put it back into the queue after it had failed. */
  readonly redriven: boolean;
}

export interface Request extends Progress {
  readonly requestId: RequestId;
  readonly eventId: EventId;
  readonly userId: UserId;
  readonly eventType: EventType;
  readonly requestedAt: number;
  /** The time that decides the order; null until the queue has the request. */
  readonly queuedAt: number | null;
}

export const queued: Progress = {
  status: 'QUEUED',
  resultCode: null,
  startedAt: null,
  finishedAt: null,
  failure: null,
  redriven: false,
};

export function isFinal(status: Status): boolean {
  return status === 'SUCCEEDED' || status === 'REJECTED' || status === 'FAILED_FINAL';
}

/** A request that is already being processed keeps the time at which that began. */
export function startProcessing(before: Progress, startedAt: number): Progress {
  if (before.status === 'PROCESSING') return before;
  invariant(before.status === 'QUEUED', 'Only a QUEUED request starts processing.');
  const { resultCode, finishedAt, failure, redriven } = before;
  return { status: 'PROCESSING', resultCode, startedAt, finishedAt, failure, redriven };
}

export function succeed(before: Progress, finishedAt: number): Progress {
  return finish(before, 'SUCCEEDED', 'SUCCESS', finishedAt);
}

export function reject(before: Progress, code: ResultCode, finishedAt: number): Progress {
  return finish(before, 'REJECTED', code, finishedAt);
}

export function fail(
  before: Progress,
  code: ResultCode,
  failure: Failure,
  finishedAt: number,
): Progress {
  const text = failure.errorMessage.slice(0, errorMessageCharactersMax);
  return {
    ...finish(before, 'FAILED_FINAL', code, finishedAt),
    failure: { ...failure, errorMessage: text },
  };
}

/** Back into the queue at its old place: queuedAt is no part of the progress and stays. */
export function redrive(before: Progress): Progress {
  invariant(before.status === 'FAILED_FINAL', 'Only a FAILED_FINAL request is redriven.');
  return { ...queued, redriven: true };
}

function finish(
  before: Progress,
  status: Status,
  resultCode: ResultCode,
  finishedAt: number,
): Progress {
  invariant(before.status === 'PROCESSING', `Only a PROCESSING request becomes ${status}.`);
  const { startedAt, failure, redriven } = before;
  return { status, resultCode, startedAt, finishedAt, failure, redriven };
}

export const errorMessageCharactersMax = 256;
