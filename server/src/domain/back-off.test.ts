import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backOffMs } from './back-off.ts';

test('each attempt waits up to twice as long as the one before', () => {
  const longest = [1, 2, 3, 4, 5].map((attempt) => backOffMs(attempt, 1, 60_000));
  expect(longest).toEqual([250, 500, 1000, 2000, 4000]);
});

test('chance decides about half of it', () => {
  expect(backOffMs(3, 0, 60_000)).toBe(500);
  expect(backOffMs(3, 0.5, 60_000)).toBe(750);
});

test('it never passes the limit nor falls below half a first wait', () => {
  const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fraction, (attempt, chance) => {
      const waitMs = backOffMs(attempt, chance, 30_000);
      expect(waitMs).toBeLessThanOrEqual(30_000);
      expect(waitMs).toBeGreaterThanOrEqual(125);
    }),
  );
});
