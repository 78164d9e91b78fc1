import type { Capacity } from '../../domain/capacity.ts';
import type { Event } from '../../domain/event.ts';
import { keys } from '../../domain/keys.ts';
import type { Item } from './dynamo-table.ts';

export function configItem(event: Event): Item {
  return { ...keys.eventConfig(event.eventId), entityType: 'EVENT_CONFIG', ...event };
}

export function eventOf(item: Item): Event {
  const { PK: _pk, SK: _sk, entityType: _entityType, ...event } = item;
  return event as unknown as Event;
}

export function directoryItem({ eventId, eventType, createdAt }: Event): Item {
  const key = keys.eventDirectory(eventId);
  return { ...key, entityType: 'EVENT_DIRECTORY', eventId, eventType, createdAt };
}

export function capacityItem(event: Event, capacity: Capacity): Item {
  return { ...keys.capacity(event.eventId), entityType: 'CAPACITY', ...capacity };
}

export function capacityOf(item: Item): Capacity {
  const { capacityTotal, capacityRemaining, soldOutAt, updatedAt } = item as unknown as Capacity;
  return { capacityTotal, capacityRemaining, soldOutAt: soldOutAt ?? null, updatedAt };
}
