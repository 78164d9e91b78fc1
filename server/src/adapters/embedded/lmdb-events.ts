import { newCapacity, raiseCapacity } from '../../domain/capacity.ts';
import type { Event } from '../../domain/event.ts';
import { type EventId, parseEventId } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Events } from '../../ports/events.ts';
import { BadPosition } from '../../ports/page.ts';
import { decodeJson, type Environment, encodeJson, nothing } from './lmdb-environment.ts';
import { lmdbKeys } from './lmdb-keys.ts';
import { emptyLane, type Lanes } from './lmdb-lanes.ts';

/** The events of this process, all in memory, and the small number that stands for each in keys. */
export interface EventRegistry {
  numberOf(eventId: EventId): number;
  byNumber(eventNo: number): Event | undefined;
  find(eventId: EventId): Event | undefined;
  all(): Iterable<Event>;
  /** In order. */
  ids(): readonly EventId[];
  add(eventNo: number, event: Event): void;
  nextNumber(): number;
}

interface StoredEvent {
  readonly eventNo: number;
  readonly event: Event;
}

export function loadEventRegistry(env: Environment): EventRegistry {
  const byId = new Map<EventId, StoredEvent>();
  const byNumber = new Map<number, EventId>();
  const sortedIds: EventId[] = [];
  let lastNumber = 0;
  const registry: EventRegistry = {
    numberOf(eventId) {
      const stored = byId.get(eventId);
      invariant(stored !== undefined, 'Only stored events have a number.');
      return stored.eventNo;
    },
    byNumber(eventNo) {
      const eventId = byNumber.get(eventNo);
      return eventId === undefined ? undefined : byId.get(eventId)?.event;
    },
    find: (eventId) => byId.get(eventId)?.event,
    *all() {
      for (const stored of byId.values()) yield stored.event;
    },
    ids: () => sortedIds,
    add(eventNo, event) {
      if (!byId.has(event.eventId)) {
        const last = sortedIds.at(-1);
        sortedIds.push(event.eventId);
        if (last !== undefined && last > event.eventId) sortedIds.sort();
      }
      byId.set(event.eventId, { eventNo, event });
      byNumber.set(eventNo, event.eventId);
      lastNumber = Math.max(lastNumber, eventNo);
    },
    nextNumber() {
      lastNumber += 1;
      return lastNumber;
    },
  };
  for (const { value } of env.events.getRange()) {
    const stored = decodeJson<StoredEvent>(value);
    registry.add(stored.eventNo, stored.event);
  }
  return registry;
}

export function createLmdbEvents(
  env: Environment,
  registry: EventRegistry,
  lanes: Lanes,
  openLane: (eventNo: number) => void,
): Events {
  const store = (eventNo: number, event: Event) =>
    env.events.put(keyOf(event.eventId), encodeJson({ eventNo, event }), event.revision);

  return {
    async create(event) {
      const eventNo = registry.nextNumber();
      const created = await env.writeIf('events', keyOf(event.eventId), null, () => {
        store(eventNo, event);
        env.doors.put(lmdbKeys.event(eventNo), nothing, 0);
        const lane = emptyLane(newCapacity(event.capacityTotal, event.createdAt));
        env.lanes.put(lmdbKeys.event(eventNo), encodeJson(lane), 0);
      });
      if (created) {
        openLane(eventNo);
        registry.add(eventNo, event);
      }
      return created ? 'created' : 'exists';
    },

    async get(eventId) {
      return registry.find(eventId);
    },

    async list({ after, limit }) {
      if (after !== null && parseEventId(after) === undefined) throw new BadPosition();
      const ids = registry.ids();
      const first = after === null ? 0 : ids.findIndex((eventId) => eventId > after);
      if (first === -1) return { items: [], next: null };
      const page = ids.slice(first, first + limit);
      const items = page.flatMap((eventId) => registry.find(eventId) ?? []);
      return { items, next: first + limit < ids.length ? (page.at(-1) ?? null) : null };
    },

    async replace(before, after) {
      const eventNo = registry.numberOf(before.eventId);
      return lanes.change<'replaced' | 'changed-meanwhile' | 'sold-out'>(eventNo, (lane) => {
        if (registry.find(before.eventId)?.revision !== before.revision) {
          return { result: 'changed-meanwhile' };
        }
        if (after.capacityTotal > before.capacityTotal) {
          const raised = raiseCapacity(lane.capacity, after.capacityTotal, after.updatedAt);
          if (raised === undefined) return { result: 'sold-out' };
          lane.capacity = raised;
        }
        return {
          result: 'replaced',
          writes: () => store(eventNo, after),
          committed: () => registry.add(eventNo, after),
        };
      });
    },

    async capacityOf(eventId) {
      if (registry.find(eventId) === undefined) return undefined;
      return lanes.read(registry.numberOf(eventId)).capacity;
    },
  };
}

function keyOf(eventId: EventId): Buffer {
  return Buffer.from(eventId, 'latin1');
}
