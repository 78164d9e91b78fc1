import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeEvent, type EventPatch } from './change-event.ts';
import { doorOf, type Event } from './event.ts';
import type { EventId } from './ids.ts';

const dayMs = 24 * 60 * 60 * 1000;
const opensAt = Date.UTC(2026, 2, 1);
const closesAt = opensAt + 10 * dayMs;
const before = opensAt - dayMs;
const during = opensAt + dayMs;
const cacheMs = 5_000;

const event: Event = {
  eventId: 'sale' as EventId,
  eventType: 'FIRST_COME',
  title: 'Sale',
  status: 'OPEN',
  opensAt,
  closesAt,
  earliestEndAt: closesAt,
  timezone: 'Asia/Seoul',
  capacityTotal: 5,
  indexShards: 1,
  createdAt: before,
  updatedAt: before,
  revision: 3,
};

const change = (patch: EventPatch, now: number, changed = event) =>
  changeEvent(changed, patch, cacheMs, now);

function changed(patch: EventPatch, now: number, from = event): Event {
  const outcome = change(patch, now, from);
  if (outcome.kind === 'refused') throw new Error(outcome.detail);
  return outcome.event;
}

describe('changing an event', () => {
  test('a change counts the revision, notes the time and leaves the rest', () => {
    expect(changed({ title: 'Bigger sale' }, during)).toEqual({
      ...event,
      title: 'Bigger sale',
      updatedAt: during,
      revision: 4,
    });
  });

  test('a blank title is refused', () => {
    expect(change({ title: '  ' }, during)).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('one bad field refuses the whole patch', () => {
    expect(change({ title: 'Fine', capacityTotal: 1 }, during).kind).toBe('refused');
  });
});

describe('the period of an event', () => {
  test('before the opening both ends move freely', () => {
    const patch = { opensAt: opensAt + dayMs, closesAt: closesAt + 100 * dayMs };
    expect(changed(patch, before)).toMatchObject({ ...patch, earliestEndAt: patch.closesAt });
  });

  test('but they stay a period that lies ahead', () => {
    const backwards = { opensAt: closesAt, closesAt: opensAt };
    expect(change(backwards, before)).toMatchObject({ code: 'INVALID_REQUEST' });
    const past = { opensAt: before - 10, closesAt: before - 5 };
    expect(change(past, before)).toMatchObject({ code: 'INVALID_REQUEST' });
    const endless = { closesAt: opensAt + 367 * dayMs };
    expect(change(endless, before)).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('once open the opening stands', () => {
    const patch = { opensAt: opensAt + 1 };
    expect(change(patch, opensAt)).toMatchObject({ code: 'EVENT_ALREADY_OPEN' });
    expect(changed({ opensAt }, during).opensAt).toBe(opensAt);
  });

  test('once open the end may move earlier, not before what others may still believe', () => {
    expect(changed({ closesAt: during + cacheMs }, during).closesAt).toBe(during + cacheMs);
    const tooSoon = { closesAt: during + cacheMs - 1 };
    expect(change(tooSoon, during)).toMatchObject({ code: 'EVENT_END_PAST' });
  });

  test('once open the end moves later by less than the seven days that locks are kept', () => {
    const latest = closesAt + 7 * dayMs - 1;
    expect(changed({ closesAt: latest }, during).closesAt).toBe(latest);
    const patch = { closesAt: latest + 1 };
    expect(change(patch, during)).toMatchObject({ code: 'EVENT_END_TOO_LATE' });
  });

  test('small steps do not add up to more than the margin', () => {
    const once = changed({ closesAt: closesAt + 6 * dayMs }, during);
    expect(change({ closesAt: closesAt + 8 * dayMs }, during, once)).toMatchObject({
      code: 'EVENT_END_TOO_LATE',
    });
  });

  test('an end that was earlier once counts, for locks were kept by it', () => {
    const shortened = changed({ closesAt: during + dayMs }, during);
    expect(shortened.earliestEndAt).toBe(during + dayMs);
    expect(change({ closesAt: during + 8 * dayMs }, during, shortened)).toMatchObject({
      code: 'EVENT_END_TOO_LATE',
    });
  });

  test('an event that is over does not open again', () => {
    const after = closesAt + 1;
    expect(change({ closesAt: closesAt + 2 * dayMs }, after)).toMatchObject({
      code: 'EVENT_CLOSED',
    });
    expect(change({ status: 'OPEN' }, after)).toMatchObject({ code: 'EVENT_CLOSED' });
    expect(change({ status: 'PAUSED' }, after)).toMatchObject({ code: 'EVENT_CLOSED' });
  });
});

describe('the status of an event', () => {
  test('an event is paused and goes on', () => {
    const paused = changed({ status: 'PAUSED' }, during);
    expect(doorOf(paused, during)).toBe('paused');
    expect(doorOf(changed({ status: 'OPEN' }, during, paused), during)).toBe('open');
  });

  test('closing ends it as soon as everybody can know', () => {
    const closed = changed({ status: 'CLOSED' }, during);
    const endsAt = during + cacheMs;
    expect(closed).toMatchObject({ status: 'CLOSED', closesAt: endsAt, earliestEndAt: endsAt });
    expect(doorOf(closed, during)).toBe('closed');
  });

  test('closing never moves the end later', () => {
    expect(changed({ status: 'CLOSED' }, closesAt - 1).closesAt).toBe(closesAt);
  });

  test.each(['OPEN', 'PAUSED'] as const)('a closed event does not become %s', (status) => {
    const closed = changed({ status: 'CLOSED' }, during);
    expect(change({ status }, during, closed)).toMatchObject({ code: 'EVENT_CLOSED' });
  });

  test('closing twice changes nothing but the revision', () => {
    const closed = changed({ status: 'CLOSED' }, during);
    const twice = changed({ status: 'CLOSED' }, during + dayMs, closed);
    expect(twice).toEqual({ ...closed, updatedAt: during + dayMs, revision: 5 });
  });

  test('an event can be called off before it opens', () => {
    const closed = changed({ status: 'CLOSED' }, before);
    expect(doorOf(closed, before)).toBe('closed');
    expect(doorOf(closed, opensAt + 1)).toBe('closed');
  });
});

describe('the capacity of an event', () => {
  test('is raised, never lowered', () => {
    expect(changed({ capacityTotal: 6 }, during).capacityTotal).toBe(6);
    expect(changed({ capacityTotal: 5 }, during).capacityTotal).toBe(5);
    expect(change({ capacityTotal: 4 }, during)).toMatchObject({ code: 'CAPACITY_NOT_RAISED' });
  });
});

test('whatever is patched while open, nobody’s lock can be gone before the end', () => {
  const patch = fc.record(
    { closesAt: fc.integer({ min: -20, max: 20 }), status: fc.constantFrom('OPEN', 'CLOSED') },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(patch, { maxLength: 8 }), (patches) => {
      let current = event;
      let earliestEnd = closesAt;
      for (const [hour, { closesAt: days, status }] of patches.entries()) {
        const at = during + hour * 3_600_000;
        const end = days === undefined ? {} : { closesAt: closesAt + days * dayMs };
        const outcome = change({ ...end, ...(status && { status }) }, at, current);
        if (outcome.kind === 'changed') current = outcome.event;
        earliestEnd = Math.min(earliestEnd, current.closesAt);
        expect(current.closesAt).toBeLessThan(earliestEnd + 7 * dayMs);
      }
    }),
  );
});
