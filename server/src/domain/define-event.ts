import type { Event } from './event.ts';
import type { EventId } from './ids.ts';

export interface EventDefinition {
  readonly title: string;
  readonly eventType: 'FIRST_COME';
  readonly opensAt?: number;
  readonly closesAt?: number;
  readonly timezone?: string;
  readonly capacityTotal: number;
  readonly indexShards?: number;
}

export type DefinedEvent =
  | { readonly kind: 'defined'; readonly event: Event }
  | { readonly kind: 'invalid'; readonly field: string; readonly detail: string };

/** Completes a definition with its defaults, or says which field cannot stand. */
export function defineEvent(
  eventId: EventId,
  definition: EventDefinition,
  defaults: { readonly indexShards: number },
  now: number,
): DefinedEvent {
  const opensAt = definition.opensAt ?? now;
  const closesAt = definition.closesAt ?? opensAt + defaultDurationMs;
  const timezone = definition.timezone ?? 'Asia/Seoul';
  if (definition.title.trim() === '') return invalid('title', 'is blank');
  if (!isTimezone(timezone)) return invalid('timezone', 'is no IANA time zone');
  const period = invalidPeriod(opensAt, closesAt, now);
  if (period !== undefined) return period;
  return {
    kind: 'defined',
    event: {
      eventId,
      eventType: definition.eventType,
      title: definition.title,
      status: 'OPEN',
      opensAt,
      closesAt,
      earliestEndAt: closesAt,
      timezone,
      capacityTotal: definition.capacityTotal,
      indexShards: definition.indexShards ?? defaults.indexShards,
      createdAt: now,
      updatedAt: now,
      revision: 0,
    },
  };
}

export function invalidPeriod(
  opensAt: number,
  closesAt: number,
  now: number,
): Extract<DefinedEvent, { kind: 'invalid' }> | undefined {
  if (closesAt <= opensAt) return invalid('closesAt', 'must be later than opensAt');
  if (closesAt <= now) return invalid('closesAt', 'lies in the past');
  if (closesAt - opensAt > durationMsMax) {
    return invalid('closesAt', 'must be at most 366 days after opensAt');
  }
  return undefined;
}

function invalid(field: string, detail: string): Extract<DefinedEvent, { kind: 'invalid' }> {
  return { kind: 'invalid', field, detail };
}

function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return /^[A-Za-z]/.test(timezone);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const dayMs = 24 * 60 * 60 * 1000;
const defaultDurationMs = 30 * dayMs;
const durationMsMax = 366 * dayMs;
