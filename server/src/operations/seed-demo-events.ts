import type { EventId, UserId } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Events } from '../ports/events.ts';
import type { EventManager } from './manage-events.ts';

/** Something to press on a first start in development; an event that exists is left alone. */
export async function seedDemoEvents(
  manager: EventManager,
  events: Events,
  clock: Clock,
): Promise<readonly EventId[]> {
  const now = clock.now();
  const demos = [
    { eventId: 'demo-first-come', title: 'First 100 coffee coupons', capacityTotal: 100 },
    {
      eventId: 'demo-opening-soon',
      title: 'Opens tomorrow: 10 concert tickets',
      capacityTotal: 10,
      opensAt: now + 24 * 60 * 60 * 1000,
    },
  ];
  for (const { eventId, ...definition } of demos) {
    if ((await events.get(eventId as EventId)) !== undefined) continue;
    const demo = { ...definition, eventId: eventId as EventId, eventType: 'FIRST_COME' as const };
    await manager.create(demo, 'demo' as UserId);
  }
  return demos.map(({ eventId }) => eventId as EventId);
}
