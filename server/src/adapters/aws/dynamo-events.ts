import type { Event } from '../../domain/event.ts';
import { type EventId, parseEventId } from '../../domain/ids.ts';
import { keys } from '../../domain/keys.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Events } from '../../ports/events.ts';
import { BadPosition } from '../../ports/page.ts';
import type { DynamoTable } from './dynamo-table.ts';
import { capacityOf, eventOf } from './event-item.ts';
import { eventWrites } from './event-writes.ts';

interface Cached {
  readonly readAt: number;
  readonly event: Promise<Event | undefined>;
}

/** Every press asks for its event, so definitions are remembered for a moment, unknown ones too. */
export function createDynamoEvents(table: DynamoTable, clock: Clock, cacheMs: number): Events {
  const cache = new Map<EventId, Cached>();

  const read = async (eventId: EventId): Promise<Event | undefined> => {
    const item = await table.get(keys.eventConfig(eventId));
    return item === undefined ? undefined : eventOf(item);
  };

  const remember = (eventId: EventId): Promise<Event | undefined> => {
    if (cache.size >= cachedMax) cache.clear();
    const event = read(eventId);
    cache.set(eventId, { readAt: clock.now(), event });
    event.catch(() => cache.delete(eventId));
    return event;
  };

  return {
    async create(event) {
      const created = await table.transact(eventWrites.create(event));
      cache.delete(event.eventId);
      return created.kind === 'written' ? 'created' : 'exists';
    },

    get(eventId) {
      const known = cache.get(eventId);
      const isFresh = known !== undefined && Math.abs(clock.now() - known.readAt) < cacheMs;
      return isFresh ? known.event : remember(eventId);
    },

    async list({ after, limit }) {
      if (after !== null && parseEventId(after) === undefined) throw new BadPosition();
      const found = await table.query({
        KeyConditionExpression: 'PK = :directory AND SK > :after',
        ExpressionAttributeValues: { ':directory': directory, ':after': after ?? ' ' },
        Limit: limit + 1,
        ConsistentRead: true,
      });
      const ids = found.slice(0, limit).map(({ SK }) => SK as EventId);
      const configs = await table.getMany(ids.map((eventId) => keys.eventConfig(eventId)));
      const byId = new Map(configs.map((item) => [item['eventId'], eventOf(item)]));
      return {
        items: ids.flatMap((eventId) => byId.get(eventId) ?? []),
        next: found.length > limit ? (ids.at(-1) ?? null) : null,
      };
    },

    async replace(before, after) {
      const raisedBy = after.capacityTotal - before.capacityTotal;
      const writes = [
        eventWrites.replaceConfig(before, after),
        ...(raisedBy > 0 ? [eventWrites.raiseCapacity(after, raisedBy)] : []),
      ];
      const replaced = await table.transact(writes);
      cache.delete(before.eventId);
      if (replaced.kind === 'written') return 'replaced';
      return replaced.refusals[0] === null ? 'sold-out' : 'changed-meanwhile';
    },

    async capacityOf(eventId) {
      const item = await table.get(keys.capacity(eventId));
      return item === undefined ? undefined : capacityOf(item);
    },
  };
}

const directory = keys.eventDirectory('' as EventId).PK;
/** Bounds the memory; an attack with invented ids empties it, which costs reads and no more. */
const cachedMax = 10_000;
