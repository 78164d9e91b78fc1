import type { EventId } from '../domain/ids.ts';

export type FaultKind = 'retryable' | 'nonretryable';

/** Makes the worker fail on purpose, in development only. */
export interface FaultSwitch {
  /** The next `count` handlings of the event's messages fail; 0 switches it off. */
  arm(eventId: EventId, kind: FaultKind, count: number): void;
  /** Uses up one failure, if one is armed for the event. */
  take(eventId: EventId): FaultKind | undefined;
}
