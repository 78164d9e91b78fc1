import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeSorted } from './merge-sorted.ts';

const byValue = (a: number, b: number) => a - b;

test('merging sorted lists is sorting them together, up to the limit', () => {
  const list = fc.array(fc.nat(100)).map((values) => values.toSorted(byValue));
  fc.assert(
    fc.property(fc.array(list, { maxLength: 8 }), fc.nat(40), (lists, limit) => {
      const sorted = lists.flat().toSorted(byValue).slice(0, limit);
      expect(mergeSorted(lists, byValue, limit)).toEqual(sorted);
    }),
  );
});

test('equal items keep the order of their lists', () => {
  const lists = [[{ key: 1, from: 'a' }], [{ key: 1, from: 'b' }], [{ key: 0, from: 'c' }]];
  const merged = mergeSorted(lists, (a, b) => a.key - b.key, 10);
  expect(merged.map((item) => item.from)).toEqual(['c', 'a', 'b']);
});

test('a descending order merges as well', () => {
  const lists = [
    [9, 5, 1],
    [8, 2],
  ];
  expect(mergeSorted(lists, (a, b) => b - a, 4)).toEqual([9, 8, 5, 2]);
});
