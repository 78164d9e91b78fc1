import { describe, expect, test } from 'vitest';
import { queued, STATUSES } from './request.ts';
import { e2eDelayMs, queueDelayMs, retryAfterSeconds, stepOf, uiResultOf } from './request-view.ts';

describe('a request as people see it', () => {
  test('a result is pending until there is one', () => {
    expect(STATUSES.map(uiResultOf)).toEqual([
      'PENDING',
      'PENDING',
      'PENDING',
      'SUCCESS',
      'REJECTED',
      'FAILED',
    ]);
  });

  test('every end is the step DONE', () => {
    expect(STATUSES.map(stepOf)).toEqual([
      'RECEIVED',
      'QUEUED',
      'PROCESSING',
      'DONE',
      'DONE',
      'DONE',
    ]);
  });

  test('delays count from the time in the queue, and are unknown before their end', () => {
    const times = { queuedAt: 10, startedAt: 25, finishedAt: null };
    expect(queueDelayMs(times)).toBe(15);
    expect(e2eDelayMs(times)).toBeNull();
    expect(e2eDelayMs({ ...times, finishedAt: 40 })).toBe(30);
    expect(queueDelayMs({ queuedAt: null, startedAt: null, finishedAt: 40 })).toBeNull();
  });

  test.each([
    [null, 1],
    [0, 1],
    [1000, 1],
    [8000, 4],
    [3_600_000, 30],
  ])('with %s ms to go one looks again after %i s', (etaMs, seconds) => {
    expect(retryAfterSeconds(queued, etaMs)).toBe(seconds);
  });

  test('whoever is done need not look again', () => {
    expect(retryAfterSeconds({ ...queued, status: 'SUCCEEDED' }, null)).toBeUndefined();
  });
});
