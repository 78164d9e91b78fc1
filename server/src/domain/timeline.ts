import type { Progress, Request, Status } from './request.ts';

export interface StatusChange {
  readonly fromStatus: Status | null;
  readonly toStatus: Status;
  readonly occurredAt: number;
  readonly message: string | null;
}

/** The changes that a request's own times tell, completed by the logged ones, oldest first. */
export function timelineOf(request: Request, logged: readonly StatusChange[]): StatusChange[] {
  const logs = logged.filter(
    (log, index) =>
      log.message !== null ||
      !logged.some((other, at) => isSame(other, log) && (other.message !== null || at < index)),
  );
  const told = changesToldBy(request).filter(
    (change) => !logged.some((log) => isSame(log, change)),
  );
  return [...told, ...logs].sort((a, b) => a.occurredAt - b.occurredAt || order(a) - order(b));
}

export function changesToldBy(request: Request): StatusChange[] {
  const changes: StatusChange[] = [change(null, 'RECEIVED', request.requestedAt)];
  if (request.queuedAt !== null) changes.push(change('RECEIVED', 'QUEUED', request.queuedAt));
  if (request.startedAt !== null) changes.push(change('QUEUED', 'PROCESSING', request.startedAt));
  if (request.finishedAt !== null) {
    const from = request.startedAt === null ? 'RECEIVED' : 'PROCESSING';
    changes.push(change(from, request.status, request.finishedAt));
  }
  return changes;
}

/** What a request's own times no longer tell once it is redriven. */
export function changesForgottenBy({ startedAt, finishedAt, failure }: Progress): StatusChange[] {
  const message = failure === null ? null : `${failure.errorCode}. ${failure.errorMessage}`;
  const from = startedAt === null ? 'RECEIVED' : 'PROCESSING';
  return [
    ...(startedAt === null ? [] : [change('QUEUED', 'PROCESSING', startedAt)]),
    ...(finishedAt === null ? [] : [{ ...change(from, 'FAILED_FINAL', finishedAt), message }]),
  ];
}

function change(fromStatus: Status | null, toStatus: Status, occurredAt: number): StatusChange {
  return { fromStatus, toStatus, occurredAt, message: null };
}

function isSame(a: StatusChange, b: StatusChange): boolean {
  return (
    a.fromStatus === b.fromStatus && a.toStatus === b.toStatus && a.occurredAt === b.occurredAt
  );
}

const steps: readonly Status[] = ['RECEIVED', 'QUEUED', 'PROCESSING'];

function order(change: StatusChange): number {
  const step = steps.indexOf(change.toStatus);
  return step === -1 ? steps.length : step;
}
