import { describe, expect, test } from 'vitest';
import { doorOf, type Event, type EventStatus, statusOf } from './event.ts';
import type { EventId } from './ids.ts';

const [opensAt, closesAt] = [1000, 2000];

function eventOf(status: EventStatus): Event {
  return {
    eventId: 'sale' as EventId,
    eventType: 'FIRST_COME',
    title: 'Sale',
    status,
    opensAt,
    closesAt,
    earliestEndAt: closesAt,
    timezone: 'Asia/Seoul',
    capacityTotal: 5,
    indexShards: 1,
    createdAt: 0,
    updatedAt: 0,
    revision: 0,
  };
}

describe('the door of an event', () => {
  test.each([
    ['OPEN', opensAt - 1, 'not-open'],
    ['OPEN', opensAt, 'open'],
    ['OPEN', closesAt, 'open'],
    ['OPEN', closesAt + 1, 'closed'],
    ['PAUSED', opensAt - 1, 'not-open'],
    ['PAUSED', opensAt, 'paused'],
    ['PAUSED', closesAt + 1, 'closed'],
    ['CLOSED', opensAt - 1, 'closed'],
    ['CLOSED', opensAt, 'closed'],
    ['CLOSED', closesAt + 1, 'closed'],
  ] as const)('of one that is %s at %i is %s', (status, at, door) => {
    expect(doorOf(eventOf(status), at)).toBe(door);
  });
});

describe('the status of an event', () => {
  test.each([
    ['OPEN', closesAt, 'OPEN'],
    ['OPEN', closesAt + 1, 'CLOSED'],
    ['PAUSED', closesAt, 'PAUSED'],
    ['PAUSED', closesAt + 1, 'CLOSED'],
    ['CLOSED', opensAt, 'CLOSED'],
  ] as const)('stored as %s amounts at %i to %s', (stored, at, status) => {
    expect(statusOf(eventOf(stored), at)).toBe(status);
  });
});
