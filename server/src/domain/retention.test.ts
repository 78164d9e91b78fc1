import { expect, test } from 'vitest';
import type { Event } from './event.ts';
import { expiry, lockMarginMs } from './retention.ts';

const dayMs = 24 * 60 * 60 * 1000;
const event = { closesAt: 1_772_323_200_000 } as Event;

test('locks and requests follow their event’s end', () => {
  expect(expiry.lock(event)).toBe(event.closesAt + 7 * dayMs);
  expect(expiry.request(event)).toBe(event.closesAt + 90 * dayMs);
  expect(lockMarginMs).toBe(7 * dayMs);
});

test('logs, dead letters and audit entries follow their own time', () => {
  expect(expiry.statusLog(1000)).toBe(1000 + 30 * dayMs);
  expect(expiry.deadLetter(1000)).toBe(1000 + 30 * dayMs);
  expect(expiry.audit(1000)).toBe(1000 + 400 * dayMs);
});

test('no request outlives its lock’s right to say who took part', () => {
  expect(expiry.request(event)).toBeGreaterThan(expiry.lock(event));
});
