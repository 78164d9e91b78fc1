import type { Capacity } from '../domain/capacity.ts';
import { type Event, statusOf } from '../domain/event.ts';

export function eventBody(event: Event, capacity: Capacity | undefined, serverTime: number) {
  const { eventId, title, eventType, opensAt, closesAt, timezone, capacityTotal } = event;
  return {
    eventId,
    title,
    eventType,
    status: statusOf(event, serverTime),
    opensAt,
    closesAt,
    timezone,
    capacityTotal,
    isSoldOut: capacity?.soldOutAt != null,
    serverTime,
  };
}

export function operatorEventBody(
  event: Event,
  capacity: Capacity | undefined,
  serverTime: number,
) {
  return {
    ...eventBody(event, capacity, serverTime),
    indexShards: event.indexShards,
    capacityRemaining: capacity?.capacityRemaining ?? event.capacityTotal,
    soldOutAt: capacity?.soldOutAt ?? null,
    createdAt: event.createdAt,
    updatedAt: event.updatedAt,
  };
}
