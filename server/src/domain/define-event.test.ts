import { describe, expect, test } from 'vitest';
import { defineEvent, type EventDefinition } from './define-event.ts';
import type { EventId } from './ids.ts';

const dayMs = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 2, 1);

function define(wishes: Partial<EventDefinition> = {}) {
  const definition = { title: 'Sale', eventType: 'FIRST_COME', capacityTotal: 5 } as const;
  return defineEvent('sale' as EventId, { ...definition, ...wishes }, { indexShards: 4 }, now);
}

describe('defining an event', () => {
  test('what is left out has its default', () => {
    expect(define()).toEqual({
      kind: 'defined',
      event: {
        eventId: 'sale',
        eventType: 'FIRST_COME',
        title: 'Sale',
        status: 'OPEN',
        opensAt: now,
        closesAt: now + 30 * dayMs,
        earliestEndAt: now + 30 * dayMs,
        timezone: 'Asia/Seoul',
        capacityTotal: 5,
        indexShards: 4,
        createdAt: now,
        updatedAt: now,
        revision: 0,
      },
    });
  });

  test('the end defaults to 30 days after the opening, not after now', () => {
    expect(define({ opensAt: now + dayMs })).toMatchObject({
      event: { opensAt: now + dayMs, closesAt: now + 31 * dayMs },
    });
  });

  test('what is given is taken', () => {
    const wishes = { closesAt: now + 1, timezone: 'Europe/Berlin', indexShards: 16 };
    expect(define(wishes)).toMatchObject({ kind: 'defined', event: wishes });
  });

  test.each([
    ['title', { title: ' \t' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: '+09:00' }],
    ['closesAt', { opensAt: now + 10, closesAt: now + 10 }],
    ['closesAt', { opensAt: now - 10, closesAt: now }],
    ['closesAt', { opensAt: now - 40 * dayMs }],
    ['closesAt', { closesAt: now + 366 * dayMs + 1 }],
  ] as const)('%s cannot stand in %j', (field, wishes) => {
    expect(define(wishes)).toMatchObject({ kind: 'invalid', field });
  });

  test('an event may last 366 days', () => {
    expect(define({ closesAt: now + 366 * dayMs }).kind).toBe('defined');
  });

  test('an event may have opened in the past, if it still runs', () => {
    expect(define({ opensAt: now - dayMs, closesAt: now + 1 }).kind).toBe('defined');
  });
});
