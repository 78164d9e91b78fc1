import { invariant } from './invariant.ts';

export interface Capacity {
  readonly capacityTotal: number;
  readonly capacityRemaining: number;
  /** Set once, before the first rejection for capacity, and never cleared. */
  readonly soldOutAt: number | null;
  readonly updatedAt: number;
}

export function newCapacity(capacityTotal: number, createdAt: number): Capacity {
  return {
    capacityTotal,
    capacityRemaining: capacityTotal,
    soldOutAt: null,
    updatedAt: createdAt,
  };
}

/** Takes one place if one is left. The first who finds none marks the event as sold out. */
export function takePlace(before: Capacity, takenAt: number): { won: boolean; capacity: Capacity } {
  if (before.capacityRemaining === 0) {
    const capacity =
      before.soldOutAt === null ? { ...before, soldOutAt: takenAt, updatedAt: takenAt } : before;
    return { won: false, capacity };
  }
  invariant(before.soldOutAt === null, 'A sold-out event has no places left.');
  const { capacityTotal, soldOutAt } = before;
  const capacityRemaining = before.capacityRemaining - 1;
  return {
    won: true,
    capacity: { capacityTotal, capacityRemaining, soldOutAt, updatedAt: takenAt },
  };
}

/** Undefined once sold out: raising it then would let later people pass those already rejected. */
export function raiseCapacity(
  before: Capacity,
  capacityTotal: number,
  raisedAt: number,
): Capacity | undefined {
  invariant(capacityTotal >= before.capacityTotal, 'Capacity is only ever raised.');
  if (before.soldOutAt !== null) return undefined;
  return {
    ...before,
    capacityTotal,
    capacityRemaining: before.capacityRemaining + capacityTotal - before.capacityTotal,
    updatedAt: raisedAt,
  };
}
