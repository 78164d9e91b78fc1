import { defineEvent, type EventDefinition } from '../../src/domain/define-event.ts';
import type { Event } from '../../src/domain/event.ts';
import type { EventId } from '../../src/domain/ids.ts';
import { invariant } from '../../src/domain/invariant.ts';
import type { TestEngine } from './test-engine.ts';

type Wishes = Partial<EventDefinition> & { readonly eventId?: string };

/** A FIRST_COME event, open now, stored in the engine. */
export async function storedEvent(tested: TestEngine, wishes: Wishes = {}): Promise<Event> {
  const event = definedEvent(tested, wishes);
  const outcome = await tested.engine.events.create(event);
  invariant(outcome === 'created', 'A test stores an event once.');
  return event;
}

/** The same, not stored. */
export function definedEvent(tested: TestEngine, wishes: Wishes = {}): Event {
  const { eventId = 'sale', ...definition } = wishes;
  const defined = defineEvent(
    eventId as EventId,
    { title: 'A sale', eventType: 'FIRST_COME', capacityTotal: 3, ...definition },
    { indexShards: tested.engine.indexShardsDefault },
    tested.now(),
  );
  invariant(defined.kind === 'defined', 'A test defines valid events.');
  return defined.event;
}
