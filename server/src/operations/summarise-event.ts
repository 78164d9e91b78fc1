import type { Capacity } from '../domain/capacity.ts';
import { type Refused, refused } from '../domain/errors.ts';
import type { EventId } from '../domain/ids.ts';
import type { Events } from '../ports/events.ts';
import type { EventStatistics, Statistics } from '../ports/statistics.ts';

export interface EventSummary extends EventStatistics {
  readonly eventId: EventId;
  readonly capacityTotal: number;
  readonly capacityRemaining: number;
  readonly soldOutAt: number | null;
}

export type Summarised = { readonly kind: 'summarised'; readonly summary: EventSummary } | Refused;

export function createSummariseEvent(events: Events, statistics: Statistics) {
  return async (eventId: EventId): Promise<Summarised> => {
    const event = await events.get(eventId);
    const capacity: Capacity | undefined = await events.capacityOf(eventId);
    if (event === undefined || capacity === undefined) return refused('EVENT_NOT_FOUND');
    const { capacityTotal, capacityRemaining, soldOutAt } = capacity;
    const counted = await statistics.of(event);
    return {
      kind: 'summarised',
      summary: { eventId, capacityTotal, capacityRemaining, soldOutAt, ...counted },
    };
  };
}

export type SummariseEvent = ReturnType<typeof createSummariseEvent>;
