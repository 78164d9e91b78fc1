import { type ErrorCode, type Refused, refused } from '../domain/errors.ts';
import { type Door, doorOf } from '../domain/event.ts';
import type { EventId, UserId } from '../domain/ids.ts';
import type { Admission, Admitted } from '../ports/admission.ts';
import type { Clock } from '../ports/clock.ts';
import type { Events } from '../ports/events.ts';
import type { Telemetry } from '../ports/telemetry.ts';

export type Submitted = Admitted | Refused;

/**
 * The door. Whoever already takes part gets the same request again, whatever the hour; a click
 * outside the event's time takes no lock and so costs nobody their place.
 */
export function createSubmitParticipation(
  events: Events,
  admission: Admission,
  clock: Clock,
  telemetry: Telemetry,
) {
  return async (eventId: EventId, userId: UserId): Promise<Submitted> => {
    const requestedAt = clock.now();
    const event = await events.get(eventId);
    if (event === undefined) return refused('EVENT_NOT_FOUND');
    const door = doorOf(event, requestedAt);
    if (door !== 'open') {
      const requestId = await admission.find(event, userId);
      return requestId === undefined ? refused(refusalAt[door]) : { kind: 'duplicate', requestId };
    }
    const admitted = await admission.admit(event, userId, requestedAt);
    if (admitted.kind === 'accepted') telemetry.accepted();
    else telemetry.duplicate();
    return admitted;
  };
}

export type SubmitParticipation = ReturnType<typeof createSubmitParticipation>;

const refusalAt: Record<Exclude<Door, 'open'>, ErrorCode> = {
  'not-open': 'EVENT_NOT_OPEN',
  paused: 'EVENT_PAUSED',
  closed: 'EVENT_CLOSED',
};
