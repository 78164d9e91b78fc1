import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { parseRequestId } from '../../domain/ids.ts';
import { bytesOf, stampOf } from '../../domain/request-id-bytes.ts';
import { createRequestIds } from '../system/request-ids.ts';

describe('request ids', () => {
  test('are version 7 UUIDs that begin with their stamp', () => {
    const clock = createManualClock();
    const { requestId, bytes, stampedAt } = createRequestIds(clock, 0).next();
    expect(parseRequestId(requestId)).toBe(requestId);
    expect(requestId[14]).toBe('7');
    expect('89ab').toContain(requestId[19]);
    expect(bytesOf(requestId)).toEqual(bytes);
    expect(stampOf(bytes)).toBe(stampedAt);
    expect(stampedAt).toBe(clock.now());
  });

  test('5,000 of one millisecond stay in order and differ', () => {
    const ids = createRequestIds(createManualClock(), 0);
    const made = Array.from({ length: 5000 }, () => ids.next());
    const texts = made.map(({ requestId }) => requestId);
    expect(texts).toEqual(texts.toSorted());
    expect(new Set(texts).size).toBe(5000);
    const stamps = made.map(({ stampedAt }) => stampedAt);
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
  });

  test('never go back when the clock does', () => {
    const clock = createManualClock();
    const ids = createRequestIds(clock, 0);
    const made = [ids.next()];
    for (const byMs of [-3_600_000, 1, -50, 3_700_000, -1, 0]) {
      clock.move(byMs);
      made.push(ids.next());
    }
    const texts = made.map(({ requestId }) => requestId);
    expect(texts).toEqual(texts.toSorted());
    for (const { bytes, stampedAt } of made) expect(stampOf(bytes)).toBe(stampedAt);
  });

  test('follow the clock again as soon as it has caught up', () => {
    const clock = createManualClock();
    const ids = createRequestIds(clock, clock.now() + 500);
    expect(ids.next().stampedAt).toBe(clock.now() + 501);
    clock.move(1000);
    expect(ids.next().stampedAt).toBe(clock.now());
  });

  test('begin after the floor of an earlier process', () => {
    const clock = createManualClock();
    const floor = clock.now() + 10_000;
    const earlier = createRequestIds({ now: () => floor }, 0);
    const last = Array.from({ length: 3 }, () => earlier.next().requestId).at(-1) ?? '';
    expect(createRequestIds(clock, floor).next().requestId > last).toBe(true);
  });

  test('cannot be guessed from one another', () => {
    const ids = createRequestIds(createManualClock(), 0);
    const tails = Array.from({ length: 2000 }, () => ids.next().requestId.slice(20));
    expect(new Set(tails).size).toBe(2000);
  });
});
