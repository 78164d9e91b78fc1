import { type Capacity, takePlace } from './capacity.ts';
import { type Progress, reject, startProcessing, succeed } from './request.ts';

/**
 * Settles one request, the oldest of its event that is not settled yet, against what is left.
 * `judgedAt` is the time that must lie within the event: queuedAt, or requestedAt after a re-queue
 * of one that never reached the queue.
 */
export function settleFirstCome(
  before: Progress,
  judgedAt: number,
  endsAt: number,
  capacity: Capacity,
  startedAt: number,
  finishedAt: number,
): { progress: Progress; capacity: Capacity } {
  const started = startProcessing(before, startedAt);
  if (judgedAt > endsAt) {
    return { progress: reject(started, 'REJECTED_CLOSED', finishedAt), capacity };
  }
  const place = takePlace(capacity, finishedAt);
  const progress = place.won
    ? succeed(started, finishedAt)
    : reject(started, 'REJECTED_CAPACITY', finishedAt);
  return { progress, capacity: place.capacity };
}
