import { expect, test } from 'vitest';
import type { EventId, RequestId, UserId } from './ids.ts';
import { queued, type Request, startProcessing, succeed } from './request.ts';
import { changesToldBy, type StatusChange, timelineOf } from './timeline.ts';

const waiting: Request = {
  requestId: '019ca6b1-dc00-7000-8000-000000000000' as RequestId,
  eventId: 'sale' as EventId,
  userId: 'ann' as UserId,
  eventType: 'FIRST_COME',
  requestedAt: 10,
  queuedAt: 12,
  ...queued,
};
const started: Request = { ...waiting, ...startProcessing(waiting, 20) };
const won: Request = { ...started, ...succeed(started, 30) };

const told = (from: StatusChange['fromStatus'], to: StatusChange['toStatus'], at: number) => ({
  fromStatus: from,
  toStatus: to,
  occurredAt: at,
  message: null,
});

test('a request’s own times tell the whole ordinary way', () => {
  expect(changesToldBy(won)).toEqual([
    told(null, 'RECEIVED', 10),
    told('RECEIVED', 'QUEUED', 12),
    told('QUEUED', 'PROCESSING', 20),
    told('PROCESSING', 'SUCCEEDED', 30),
  ]);
});

test('and only as far as it has come', () => {
  expect(changesToldBy(waiting).map((change) => change.toStatus)).toEqual(['RECEIVED', 'QUEUED']);
  expect(changesToldBy(started).at(-1)?.toStatus).toBe('PROCESSING');
});

test('one that never reached the queue went from RECEIVED to its end', () => {
  const failed: Request = { ...waiting, queuedAt: null, status: 'FAILED_FINAL', finishedAt: 15 };
  expect(changesToldBy(failed)).toEqual([
    told(null, 'RECEIVED', 10),
    told('RECEIVED', 'FAILED_FINAL', 15),
  ]);
});

test('what was logged completes it, in order of time', () => {
  const attempt = { ...told('PROCESSING', 'PROCESSING', 25), message: 'Attempt 1 failed.' };
  expect(timelineOf(won, [attempt]).map((change) => change.occurredAt)).toEqual([
    10, 12, 20, 25, 30,
  ]);
});

test('a change that is told and logged is listed once', () => {
  const logged = changesToldBy(won);
  expect(timelineOf(won, logged)).toEqual(logged);
});

test('steps of one millisecond stay in their natural order', () => {
  const quick: Request = { ...won, requestedAt: 10, queuedAt: 10, startedAt: 10, finishedAt: 10 };
  expect(timelineOf(quick, []).map((change) => change.toStatus)).toEqual([
    'RECEIVED',
    'QUEUED',
    'PROCESSING',
    'SUCCEEDED',
  ]);
});
