import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fail,
  isFinal,
  type Progress,
  queued,
  RESULT_CODES,
  redrive,
  reject,
  STATUSES,
  startProcessing,
  succeed,
} from './request.ts';
import { countMove, emptyTally } from './tally.ts';

const failure = { failureClass: 'RETRYABLE', errorCode: 'E', errorMessage: 'm' } as const;

test('an empty tally names every status and result code with zero', () => {
  const tally = emptyTally();
  expect(Object.keys(tally.byStatus)).toEqual([...STATUSES]);
  expect(Object.keys(tally.byResultCode)).toEqual([...RESULT_CODES]);
  expect(tally.displaced).toBe(0);
});

test('a move is counted out of the one status and into the other', () => {
  const tally = emptyTally();
  countMove(tally, null, queued);
  const started = startProcessing(queued, 1);
  countMove(tally, queued, started);
  countMove(tally, started, succeed(started, 2));
  expect(tally.byStatus).toMatchObject({ QUEUED: 0, PROCESSING: 0, SUCCEEDED: 1 });
  expect(tally.byResultCode.SUCCESS).toBe(1);
});

test('displaced is who was redriven and then rejected for capacity, nobody else', () => {
  const again = startProcessing({ ...queued, redriven: true }, 1);
  const tally = emptyTally();
  countMove(tally, null, reject(again, 'REJECTED_CAPACITY', 2));
  countMove(tally, null, reject(again, 'REJECTED_CLOSED', 2));
  countMove(tally, null, reject(startProcessing(queued, 1), 'REJECTED_CAPACITY', 2));
  expect(tally.displaced).toBe(1);
});

test('after any history a tally equals a recount of the requests', () => {
  const step = fc.tuple(fc.nat(4), fc.constantFrom('win', 'lose', 'close', 'fail'));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const requests: Progress[] = Array.from({ length: 5 }, () => queued);
      const tally = emptyTally();
      for (const request of requests) countMove(tally, null, request);
      for (const [index, end] of steps) {
        const before = requests[index] ?? queued;
        const after = moved(before, end);
        countMove(tally, before, after);
        requests[index] = after;
      }
      const recount = emptyTally();
      for (const request of requests) countMove(recount, null, request);
      expect(tally).toEqual(recount);
    }),
  );
});

/** The next step of a request: it starts, then ends as told; a failed one is redriven. */
function moved(before: Progress, end: 'win' | 'lose' | 'close' | 'fail'): Progress {
  if (before.status === 'FAILED_FINAL') return redrive(before);
  if (isFinal(before.status)) return before;
  if (before.status === 'QUEUED') return startProcessing(before, 1);
  if (end === 'win') return succeed(before, 2);
  if (end === 'fail') return fail(before, 'FAILED_WORKER', failure, 2);
  return reject(before, end === 'lose' ? 'REJECTED_CAPACITY' : 'REJECTED_CLOSED', 2);
}
