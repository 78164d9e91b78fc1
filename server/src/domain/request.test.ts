import { describe, expect, test } from 'vitest';
import {
  type Failure,
  fail,
  isFinal,
  type Progress,
  queued,
  redrive,
  reject,
  STATUSES,
  type Status,
  startProcessing,
  succeed,
} from './request.ts';

type Move = { readonly to: Status; readonly make: (before: Progress) => Progress };

const failure: Failure = {
  failureClass: 'RETRYABLE',
  errorCode: 'STORE_DOWN',
  errorMessage: 'The store did not answer.',
};

const moves: Record<string, Move> = {
  startProcessing: { to: 'PROCESSING', make: (before) => startProcessing(before, 20) },
  succeed: { to: 'SUCCEEDED', make: (before) => succeed(before, 30) },
  reject: { to: 'REJECTED', make: (before) => reject(before, 'REJECTED_CAPACITY', 30) },
  fail: { to: 'FAILED_FINAL', make: (before) => fail(before, 'FAILED_WORKER', failure, 30) },
  redrive: { to: 'QUEUED', make: redrive },
};

const allowed: readonly [from: Status, move: keyof typeof moves][] = [
  ['QUEUED', 'startProcessing'],
  ['PROCESSING', 'startProcessing'],
  ['PROCESSING', 'succeed'],
  ['PROCESSING', 'reject'],
  ['PROCESSING', 'fail'],
  ['FAILED_FINAL', 'redrive'],
];

const isAllowed = (from: Status, move: string): boolean =>
  allowed.some(([status, name]) => status === from && name === move);

const forbidden = STATUSES.flatMap((from) =>
  Object.keys(moves)
    .filter((move) => !isAllowed(from, move))
    .map((move) => [from, move] as const),
);

describe('a request’s status machine', () => {
  test.each(allowed)('%s may %s', (from, move) => {
    expect(moves[move]?.make({ ...queued, status: from }).status).toBe(moves[move]?.to);
  });

  test.each(forbidden)('%s may not %s', (from, move) => {
    expect(() => moves[move]?.make({ ...queued, status: from })).toThrow('Invariant broken');
  });

  test('it starts once: a second start keeps the first time', () => {
    const started = startProcessing(queued, 20);
    expect(startProcessing(started, 99)).toEqual({
      ...queued,
      status: 'PROCESSING',
      startedAt: 20,
    });
  });

  test('an end keeps the start and says when and why', () => {
    const started = startProcessing(queued, 20);
    expect(succeed(started, 30)).toMatchObject({
      resultCode: 'SUCCESS',
      startedAt: 20,
      finishedAt: 30,
      failure: null,
    });
    expect(reject(started, 'REJECTED_CLOSED', 30)).toMatchObject({
      resultCode: 'REJECTED_CLOSED',
      finishedAt: 30,
    });
    expect(fail(started, 'FAILED_SERDE', failure, 30)).toMatchObject({
      resultCode: 'FAILED_SERDE',
      failure,
      finishedAt: 30,
    });
  });

  test('an error message is kept to 256 characters', () => {
    const wordy = { ...failure, errorMessage: 'x'.repeat(257) };
    const failed = fail(startProcessing(queued, 20), 'FAILED_WORKER', wordy, 30);
    expect(failed.failure?.errorMessage).toBe('x'.repeat(256));
  });

  test('a redriven request is like new but for the mark', () => {
    const failed = fail(startProcessing(queued, 20), 'FAILED_WORKER', failure, 30);
    expect(redrive(failed)).toEqual({ ...queued, redriven: true });
  });

  test('the mark of a redrive stays to the end', () => {
    const again = redrive({ ...queued, status: 'FAILED_FINAL' });
    expect(reject(startProcessing(again, 40), 'REJECTED_CAPACITY', 50).redriven).toBe(true);
  });

  test('exactly three statuses are final', () => {
    expect(STATUSES.filter(isFinal)).toEqual(['SUCCEEDED', 'REJECTED', 'FAILED_FINAL']);
  });
});
