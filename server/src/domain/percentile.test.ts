import fc from 'fast-check';
import { expect, test } from 'vitest';
import { percentilesOf } from './percentile.ts';

test('without measurements there are no percentiles', () => {
  expect(percentilesOf([])).toEqual({ p50: null, p95: null, p99: null });
  expect(percentilesOf([[5, 0]])).toEqual({ p50: null, p95: null, p99: null });
});

test('one measurement is every percentile', () => {
  expect(percentilesOf([[7, 1]])).toEqual({ p50: 7, p95: 7, p99: 7 });
});

test('of 1 to 100 the nearest ranks are the numbers themselves', () => {
  const distribution = Array.from({ length: 100 }, (_, index) => [index + 1, 1] as const);
  expect(percentilesOf(distribution)).toEqual({ p50: 50, p95: 95, p99: 99 });
});

test('a value is one that was measured, never an average', () => {
  expect(
    percentilesOf([
      [0, 1],
      [1000, 1],
    ]),
  ).toEqual({ p50: 0, p95: 1000, p99: 1000 });
});

test('a distribution says the same as the sorted measurements', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 300 }), (measured) => {
      const sorted = measured.toSorted((a, b) => a - b);
      const counts = new Map<number, number>();
      for (const value of sorted) counts.set(value, (counts.get(value) ?? 0) + 1);
      const nearestRank = (percent: number) =>
        sorted.find((value) => {
          const notAbove = sorted.filter((other) => other <= value).length;
          return notAbove * 100 >= percent * sorted.length;
        });
      expect(percentilesOf(counts)).toEqual({
        p50: nearestRank(50),
        p95: nearestRank(95),
        p99: nearestRank(99),
      });
    }),
  );
});
