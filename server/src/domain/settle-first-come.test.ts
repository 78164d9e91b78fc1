import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newCapacity } from './capacity.ts';
import { isFinal, type Progress, queued, startProcessing } from './request.ts';
import { settleFirstCome } from './settle-first-come.ts';

const endsAt = 1000;

describe('settling one request', () => {
  test('wins while places are left', () => {
    const { progress, capacity } = settleFirstCome(
      queued,
      500,
      endsAt,
      newCapacity(2, 0),
      600,
      610,
    );
    expect(progress).toMatchObject({ status: 'SUCCEEDED', startedAt: 600, finishedAt: 610 });
    expect(capacity.capacityRemaining).toBe(1);
  });

  test('is rejected when none are, and the sell-out is marked with it', () => {
    const { progress, capacity } = settleFirstCome(
      queued,
      500,
      endsAt,
      newCapacity(0, 0),
      600,
      610,
    );
    expect(progress).toMatchObject({ status: 'REJECTED', resultCode: 'REJECTED_CAPACITY' });
    expect(capacity.soldOutAt).toBe(610);
  });

  test('the last moment still counts, one millisecond later does not', () => {
    const places = newCapacity(2, 0);
    expect(settleFirstCome(queued, endsAt, endsAt, places, 1, 2).progress.status).toBe('SUCCEEDED');
    const late = settleFirstCome(queued, endsAt + 1, endsAt, places, 1, 2);
    expect(late.progress).toMatchObject({ status: 'REJECTED', resultCode: 'REJECTED_CLOSED' });
    expect(late.capacity).toBe(places);
  });

  test('who comes too late for a sold-out event is closed out, not sold out', () => {
    const late = settleFirstCome(queued, endsAt + 1, endsAt, newCapacity(0, 0), 1, 2);
    expect(late.progress.resultCode).toBe('REJECTED_CLOSED');
    expect(late.capacity.soldOutAt).toBeNull();
  });

  test('one that was started before keeps its start', () => {
    const started = startProcessing(queued, 400);
    const { progress } = settleFirstCome(started, 300, endsAt, newCapacity(1, 0), 600, 610);
    expect(progress).toMatchObject({ status: 'SUCCEEDED', startedAt: 400, finishedAt: 610 });
  });
});

test('any batching of the queue gives exactly min(N, entrants) winners and no inversion', () => {
  const cut = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 30, maxLength: 30 });
  const redelivered = fc.array(fc.nat(29), { maxLength: 10 });
  fc.assert(
    fc.property(fc.nat(30), fc.nat(12), cut, redelivered, (entrants, places, cuts, again) => {
      const requests: Progress[] = Array.from({ length: entrants }, () => queued);
      let capacity = newCapacity(places, 0);
      const settle = (index: number, at: number): void => {
        const before = requests[index];
        if (before === undefined || isFinal(before.status)) return;
        const settled = settleFirstCome(before, index, endsAt, capacity, at, at);
        requests[index] = settled.progress;
        capacity = settled.capacity;
      };
      let next = 0;
      for (const [batch, size] of cuts.entries()) {
        for (const index of again) if (index < next) settle(index, batch);
        for (let index = next; index < next + size; index += 1) settle(index, batch);
        next += size;
      }
      const won = requests.map((request) => request.status === 'SUCCEEDED');
      const winners = Math.min(places, entrants);
      expect(won).toEqual(requests.map((_, index) => index < winners));
      expect(capacity.capacityRemaining).toBe(places - winners);
    }),
  );
});
