import { invalidPeriod } from './define-event.ts';
import type { ErrorCode } from './errors.ts';
import { doorOf, type Event, type EventStatus } from './event.ts';
import { lockMarginMs } from './retention.ts';

export interface EventPatch {
  readonly title?: string;
  readonly opensAt?: number;
  readonly closesAt?: number;
  readonly capacityTotal?: number;
  readonly status?: EventStatus;
}

export type ChangedEvent =
  | { readonly kind: 'changed'; readonly event: Event }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly detail: string };

/**
 * Applies a patch, or refuses it whole. Nothing that has happened may come to look different:
 * people already admitted keep their place, people already turned away keep their answer.
 */
export function changeEvent(
  event: Event,
  patch: EventPatch,
  configCacheMs: number,
  now: number,
): ChangedEvent {
  const refusal =
    refusedBlankTitle(patch) ??
    refusedStatus(event, patch, now) ??
    refusedOpening(event, patch, now) ??
    refusedEnd(event, patch, configCacheMs, now) ??
    refusedCapacity(event, patch);
  if (refusal !== undefined) return refusal;

  const opensAt = patch.opensAt ?? event.opensAt;
  const closing = patch.status === 'CLOSED' && event.status !== 'CLOSED';
  const closesAt = closing
    ? Math.min(event.closesAt, now + configCacheMs)
    : (patch.closesAt ?? event.closesAt);
  const movedPeriod = patch.opensAt !== undefined || patch.closesAt !== undefined;
  const period = movedPeriod && !closing ? invalidPeriod(opensAt, closesAt, now) : undefined;
  if (period !== undefined) return refused('INVALID_REQUEST', `${period.field} ${period.detail}.`);

  const hasOpened = now >= event.opensAt;
  return {
    kind: 'changed',
    event: {
      ...event,
      title: patch.title ?? event.title,
      status: patch.status ?? event.status,
      opensAt,
      closesAt,
      earliestEndAt: hasOpened ? Math.min(event.earliestEndAt, closesAt) : closesAt,
      capacityTotal: patch.capacityTotal ?? event.capacityTotal,
      updatedAt: now,
      revision: event.revision + 1,
    },
  };
}

type Refusal = Extract<ChangedEvent, { kind: 'refused' }> | undefined;

function refusedBlankTitle(patch: EventPatch): Refusal {
  if (patch.title === undefined || patch.title.trim() !== '') return undefined;
  return refused('INVALID_REQUEST', 'title is blank.');
}

function refusedStatus(event: Event, patch: EventPatch, now: number): Refusal {
  if (patch.status === undefined || patch.status === 'CLOSED') return undefined;
  if (doorOf(event, now) !== 'closed') return undefined;
  return refused('EVENT_CLOSED', 'A closed event stays closed: people were turned away by it.');
}

function refusedOpening(event: Event, patch: EventPatch, now: number): Refusal {
  if (patch.opensAt === undefined || patch.opensAt === event.opensAt) return undefined;
  if (now < event.opensAt) return undefined;
  return refused('EVENT_ALREADY_OPEN', 'opensAt cannot change once the event has opened.');
}

function refusedEnd(event: Event, patch: EventPatch, configCacheMs: number, now: number): Refusal {
  if (patch.closesAt === undefined || patch.closesAt === event.closesAt) return undefined;
  if (now < event.opensAt) return undefined;
  if (doorOf(event, now) === 'closed') {
    return refused('EVENT_CLOSED', 'A closed event stays closed: people were turned away by it.');
  }
  if (patch.closesAt < now + configCacheMs) {
    return refused('EVENT_END_PAST', 'closesAt cannot move before the present.');
  }
  if (patch.closesAt >= event.earliestEndAt + lockMarginMs) {
    return refused(
      'EVENT_END_TOO_LATE',
      'Once open, closesAt may move later by less than 7 days: after that the locks are gone.',
    );
  }
  return undefined;
}

function refusedCapacity(event: Event, patch: EventPatch): Refusal {
  if (patch.capacityTotal === undefined || patch.capacityTotal >= event.capacityTotal) {
    return undefined;
  }
  return refused('CAPACITY_NOT_RAISED', 'capacityTotal can be raised, never lowered.');
}

function refused(code: ErrorCode, detail: string): Extract<ChangedEvent, { kind: 'refused' }> {
  return { kind: 'refused', code, detail };
}
