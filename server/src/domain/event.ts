import type { EventId } from './ids.ts';

export const EVENT_STATUSES = ['OPEN', 'PAUSED', 'CLOSED'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

export interface FirstComeEvent {
  readonly eventId: EventId;
  readonly eventType: 'FIRST_COME';
  readonly title: string;
  readonly status: EventStatus;
  readonly opensAt: number;
  readonly closesAt: number;
  /** The earliest end that was ever in force while people could enter: locks were kept by it. */
  readonly earliestEndAt: number;
  readonly timezone: string;
  readonly capacityTotal: number;
  readonly indexShards: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Counts the changes, so that two at once cannot both stand. */
  readonly revision: number;
}

export type Event = FirstComeEvent;

export type Door = 'open' | 'not-open' | 'paused' | 'closed';

export function doorOf(event: Event, at: number): Door {
  if (event.status === 'CLOSED' || at > event.closesAt) return 'closed';
  if (at < event.opensAt) return 'not-open';
  return event.status === 'PAUSED' ? 'paused' : 'open';
}

/** What the stored status amounts to at a given time. */
export function statusOf(event: Event, at: number): EventStatus {
  return at > event.closesAt ? 'CLOSED' : event.status;
}
