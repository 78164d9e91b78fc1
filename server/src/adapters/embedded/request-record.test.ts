import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UserId } from '../../domain/ids.ts';
import {
  FAILURE_CLASSES,
  type Failure,
  type Progress,
  queued,
  RESULT_CODES,
  STATUSES,
} from '../../domain/request.ts';
import {
  decodeRequest,
  encodeRequest,
  type RequestRecord,
  readOrdinal,
  readProgress,
  readQueuedAt,
  readUserId,
  withProgress,
} from './request-record.ts';

const time = fc.integer({ min: 1, max: 2 ** 47 });
const userId = fc
  .string({ unit: fc.constantFrom(...'azAZ09!"$%&-.:@|~'), minLength: 1, maxLength: 128 })
  .map((text) => text as UserId);

const failure: fc.Arbitrary<Failure> = fc.record({
  failureClass: fc.constantFrom(...FAILURE_CLASSES),
  errorCode: fc.string({ minLength: 1, maxLength: 40 }),
  errorMessage: fc.string({ unit: 'grapheme', maxLength: 256 }),
});

const progress: fc.Arbitrary<Progress> = fc.record({
  status: fc.constantFrom(...STATUSES),
  resultCode: fc.option(fc.constantFrom(...RESULT_CODES)),
  startedAt: fc.option(time),
  finishedAt: fc.option(time),
  failure: fc.option(failure),
  redriven: fc.boolean(),
});

const record: fc.Arbitrary<RequestRecord> = fc.record({
  eventNo: fc.nat(2 ** 31 - 1),
  ordinal: fc.nat(2 ** 31 - 1),
  requestedAt: time,
  queuedAt: time,
  userId,
  progress,
});

describe('a stored request', () => {
  test('reads back as it was written', () => {
    fc.assert(
      fc.property(record, (written) => {
        const bytes = encodeRequest(written);
        expect(decodeRequest(bytes)).toEqual(written);
        expect(readOrdinal(bytes)).toBe(written.ordinal);
        expect(readQueuedAt(bytes)).toBe(written.queuedAt);
        expect(readUserId(bytes)).toBe(written.userId);
      }),
    );
  });

  test('takes any other progress and keeps everything else', () => {
    fc.assert(
      fc.property(record, progress, (written, after) => {
        const before = encodeRequest(written);
        const untouched = Buffer.from(before);
        expect(decodeRequest(withProgress(before, after))).toEqual({ ...written, progress: after });
        expect(before).toEqual(untouched);
      }),
    );
  });

  test('without a failure is no longer than its header and the user', () => {
    const written = {
      eventNo: 1,
      ordinal: 1,
      requestedAt: 1,
      queuedAt: 1,
      userId: 'ann' as UserId,
      progress: queued,
    };
    expect(encodeRequest(written)).toHaveLength(40);
  });

  test('of another version or with an unknown status is not guessed at', () => {
    const bytes = encodeRequest({
      eventNo: 1,
      ordinal: 1,
      requestedAt: 1,
      queuedAt: 1,
      userId: 'ann' as UserId,
      progress: queued,
    });
    const newer = Buffer.from(bytes);
    newer[0] = 2;
    expect(() => readProgress(newer)).toThrow('version 1');
    const strange = Buffer.from(bytes);
    strange[1] = 200;
    expect(() => readProgress(strange)).toThrow('known status');
  });
});
