import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newCapacity, raiseCapacity, takePlace } from './capacity.ts';

describe('capacity', () => {
  test('a new one has all its places', () => {
    expect(newCapacity(5, 10)).toEqual({
      capacityTotal: 5,
      capacityRemaining: 5,
      soldOutAt: null,
      updatedAt: 10,
    });
  });

  test('a place taken is one less, and the last one does not yet mean sold out', () => {
    const { won, capacity } = takePlace(newCapacity(1, 10), 20);
    expect(won).toBe(true);
    expect(capacity).toMatchObject({ capacityRemaining: 0, soldOutAt: null, updatedAt: 20 });
  });

  test('the first who finds none marks the sell-out, later ones leave the mark', () => {
    const first = takePlace(newCapacity(0, 10), 20);
    const second = takePlace(first.capacity, 30);
    expect(first).toMatchObject({ won: false, capacity: { soldOutAt: 20, updatedAt: 20 } });
    expect(second).toEqual({ won: false, capacity: first.capacity });
  });

  test('places left behind a sell-out are a broken invariant', () => {
    const broken = { ...newCapacity(3, 10), soldOutAt: 15 };
    expect(() => takePlace(broken, 20)).toThrow('sold-out');
  });

  test('raising adds the difference to what remains', () => {
    const { capacity } = takePlace(newCapacity(3, 10), 20);
    expect(raiseCapacity(capacity, 10, 30)).toEqual({
      capacityTotal: 10,
      capacityRemaining: 9,
      soldOutAt: null,
      updatedAt: 30,
    });
  });

  test('sold out is final', () => {
    const { capacity } = takePlace(newCapacity(0, 10), 20);
    expect(raiseCapacity(capacity, 10, 30)).toBeUndefined();
  });

  test('capacity is never lowered', () => {
    expect(() => raiseCapacity(newCapacity(3, 10), 2, 30)).toThrow('only ever raised');
  });

  test('any mix of takes and raises never gives more places than there are', () => {
    const deed = fc.oneof(fc.constant('take' as const), fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(fc.nat(5), fc.array(deed, { maxLength: 30 }), (total, deeds) => {
        let capacity = newCapacity(total, 0);
        let winners = 0;
        for (const [index, done] of deeds.entries()) {
          if (done === 'take') {
            const place = takePlace(capacity, index);
            winners += place.won ? 1 : 0;
            capacity = place.capacity;
          } else {
            capacity = raiseCapacity(capacity, capacity.capacityTotal + done, index) ?? capacity;
          }
          expect(winners + capacity.capacityRemaining).toBe(capacity.capacityTotal);
          if (capacity.soldOutAt !== null) expect(capacity.capacityRemaining).toBe(0);
        }
      }),
    );
  });
});
