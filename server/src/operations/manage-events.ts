import { changeEvent, type EventPatch } from '../domain/change-event.ts';
import { defineEvent, type EventDefinition } from '../domain/define-event.ts';
import { type Refused, refused } from '../domain/errors.ts';
import type { Event } from '../domain/event.ts';
import type { EventId, UserId } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Events } from '../ports/events.ts';
import type { Ids } from '../ports/ids.ts';
import type { RecordAudit } from './record-audit.ts';

export type ManagedEvent = { readonly kind: 'stored'; readonly event: Event } | Refused;

export function createManageEvents(
  events: Events,
  ids: Ids,
  clock: Clock,
  recordAudit: RecordAudit,
  engine: { readonly configCacheMs: number; readonly indexShardsDefault: number },
) {
  const create = async (
    definition: EventDefinition & { readonly eventId?: EventId },
    operator: UserId,
  ): Promise<ManagedEvent> => {
    const eventId = definition.eventId ?? (ids.next() as EventId);
    const defaults = { indexShards: engine.indexShardsDefault };
    const defined = defineEvent(eventId, definition, defaults, clock.now());
    if (defined.kind === 'invalid') {
      return refused('INVALID_REQUEST', `${defined.field} ${defined.detail}.`);
    }
    const { event } = defined;
    if ((await events.create(event)) === 'exists') return refused('EVENT_EXISTS');
    await recordAudit({ operator, action: 'event.create', target: eventId, after: event });
    return { kind: 'stored', event };
  };

  const change = async (
    eventId: EventId,
    patch: EventPatch,
    operator: UserId,
  ): Promise<ManagedEvent> => {
    for (;;) {
      const before = await events.get(eventId);
      if (before === undefined) return refused('EVENT_NOT_FOUND');
      const changed = changeEvent(before, patch, engine.configCacheMs, clock.now());
      if (changed.kind === 'refused') return changed;
      const outcome = await events.replace(before, changed.event);
      if (outcome === 'sold-out') return refused('EVENT_SOLD_OUT');
      if (outcome === 'changed-meanwhile') continue;
      const after = changed.event;
      await recordAudit({ operator, action: 'event.change', target: eventId, before, after });
      return { kind: 'stored', event: after };
    }
  };

  return { create, change };
}

export type EventManager = ReturnType<typeof createManageEvents>;
