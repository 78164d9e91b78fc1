import { Fault } from '../../domain/errors.ts';
import type { Event } from '../../domain/event.ts';
import type { RequestId, UserId } from '../../domain/ids.ts';
import { indexShardOf } from '../../domain/keys.ts';
import { queued } from '../../domain/request.ts';
import { requestIdOf } from '../../domain/request-id-bytes.ts';
import type { Admission, Admitted } from '../../ports/admission.ts';
import type { RequestIds } from '../../ports/ids.ts';
import type { Timers } from '../../ports/timers.ts';
import { type Environment, nothing } from './lmdb-environment.ts';
import type { EventRegistry } from './lmdb-events.ts';
import { lmdbKeys } from './lmdb-keys.ts';
import { newMessage } from './lmdb-messages.ts';
import { newChanges, type StatusLogLevel, writeLog } from './lmdb-status-log.ts';
import { encodeRequest } from './request-record.ts';

interface Entrant {
  readonly lockName: string;
  readonly userId: UserId;
  readonly requestedAt: number;
  readonly admitted: (requestId: RequestId) => void;
  readonly refused: (fault: unknown) => void;
}

/** Those of one event who came in the same turn of the event loop, and how many came before. */
interface Door {
  readonly event: Event;
  readonly eventNo: number;
  arriving: Entrant[];
  admittedCount: number;
  writesUnderway: number;
  /** A write failed: nobody else is written until the count has been read again. */
  isRecovering: boolean;
}

/**
 * Admits everyone who came in one turn in one write per event. This process is the only writer of
 * its data directory, so a lock is free when it is neither stored nor about to be; the write is
 * still conditional on the count of admissions before it, so that stamps, ordinals and count
 * follow the order of the commits even when one of them fails.
 */
export function createLmdbAdmission(
  env: Environment,
  registry: EventRegistry,
  requestIds: RequestIds,
  timers: Timers,
  options: { readonly statusLog: StatusLogLevel; readonly unflushedMax: number },
  onAdmitted: (eventNo: number, count: number) => void,
): Admission {
  const doors = new Map<number, Door>();
  const unflushed = new Map<string, Promise<RequestId>>();
  let isTurnScheduled = false;

  const doorOf = (event: Event, eventNo: number): Door => {
    const known = doors.get(eventNo);
    if (known !== undefined) return known;
    const door = {
      event,
      eventNo,
      arriving: [],
      admittedCount: readAdmittedCount(env, eventNo),
      writesUnderway: 0,
      isRecovering: false,
    };
    doors.set(eventNo, door);
    return door;
  };

  const admitArrived = (): void => {
    isTurnScheduled = false;
    for (const door of doors.values()) {
      if (door.arriving.length > 0 && !door.isRecovering) void admitTogether(door);
    }
  };

  const admitTogether = async (door: Door): Promise<void> => {
    const entrants = door.arriving;
    door.arriving = [];
    const before = door.admittedCount;
    door.admittedCount += entrants.length;
    door.writesUnderway += 1;
    const ids: RequestId[] = [];
    const doorKey = lmdbKeys.event(door.eventNo);
    let fault: unknown;
    try {
      const kept = await env.writeIf('doors', doorKey, before, () => {
        for (const entrant of entrants) {
          ids.push(writeEntrant(door, entrant, before + ids.length + 1));
        }
        env.doors.put(doorKey, nothing, before + entrants.length);
      });
      if (!kept) fault = lostItsTurn();
    } catch (error) {
      fault = error;
    }
    door.writesUnderway -= 1;
    if (fault === undefined) onAdmitted(door.eventNo, entrants.length);
    else door.isRecovering = true;
    if (door.isRecovering && door.writesUnderway === 0) {
      door.admittedCount = readAdmittedCount(env, door.eventNo);
      door.isRecovering = false;
      if (door.arriving.length > 0) void admitTogether(door);
    }
    entrants.forEach((entrant, index) => {
      unflushed.delete(entrant.lockName);
      const requestId = ids[index];
      if (fault === undefined && requestId !== undefined) entrant.admitted(requestId);
      else entrant.refused(fault);
    });
  };

  const writeEntrant = (door: Door, entrant: Entrant, ordinal: number): RequestId => {
    const { event, eventNo } = door;
    const { userId, requestedAt } = entrant;
    const { requestId, bytes, stampedAt: queuedAt } = requestIds.next();
    const shard = indexShardOf(requestId, event.indexShards);
    const record = { eventNo, ordinal, requestedAt, queuedAt, userId, progress: queued };
    env.participants.put(lmdbKeys.lock(userId, eventNo), bytes);
    env.participants.put(lmdbKeys.byUser(userId, bytes), nothing);
    env.requests.put(bytes, encodeRequest(record));
    env.byEvent.put(lmdbKeys.byEvent(eventNo, shard, bytes), nothing);
    env.queue.put(lmdbKeys.message(eventNo, bytes), newMessage);
    if (options.statusLog === 'all') {
      const { eventId, eventType } = event;
      const request = { requestId, eventId, eventType, userId, requestedAt, queuedAt, ...queued };
      writeLog(env, bytes, newChanges(null, request));
    }
    return requestId;
  };

  const findDurable = (eventNo: number, userId: UserId): Promise<RequestId> | undefined => {
    const underway = unflushed.get(nameOfLock(eventNo, userId));
    if (underway !== undefined) return underway;
    const stored = env.participants.get(lmdbKeys.lock(userId, eventNo));
    return stored === undefined ? undefined : Promise.resolve(requestIdOf(stored));
  };

  return {
    async admit(event, userId, requestedAt): Promise<Admitted> {
      const eventNo = registry.numberOf(event.eventId);
      const existing = findDurable(eventNo, userId);
      if (existing !== undefined) return { kind: 'duplicate', requestId: await existing };
      if (unflushed.size >= options.unflushedMax) throw overloaded();
      const lockName = nameOfLock(eventNo, userId);
      const admission = new Promise<RequestId>((admitted, refused) => {
        const entrant = { lockName, userId, requestedAt, admitted, refused };
        doorOf(event, eventNo).arriving.push(entrant);
      });
      unflushed.set(lockName, admission);
      if (!isTurnScheduled) {
        isTurnScheduled = true;
        timers.soon(admitArrived);
      }
      return { kind: 'accepted', requestId: await admission };
    },

    async find(event, userId) {
      return findDurable(registry.numberOf(event.eventId), userId);
    },
  };
}

export function readAdmittedCount(env: Environment, eventNo: number): number {
  return env.doors.getEntry(lmdbKeys.event(eventNo))?.version ?? 0;
}

function nameOfLock(eventNo: number, userId: UserId): string {
  return `${eventNo}#${userId}`;
}

function overloaded(): Fault {
  return new Fault('OVERLOADED', 'Too many admissions wait for the disk.', { retryable: true });
}

function lostItsTurn(): Fault {
  return new Fault('UNAVAILABLE', 'An admission before this one failed.', { retryable: true });
}
