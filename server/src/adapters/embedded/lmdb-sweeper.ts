import type { Event } from '../../domain/event.ts';
import { indexShardOf } from '../../domain/keys.ts';
import { bytesOf, requestIdOf } from '../../domain/request-id-bytes.ts';
import { expiry } from '../../domain/retention.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DeadLetter } from '../../ports/dead-letters.ts';
import type { DeadLetterWriter } from './lmdb-dead-letters.ts';
import { decodeJson, type Environment, encodeJson } from './lmdb-environment.ts';
import type { EventRegistry } from './lmdb-events.ts';
import { expiredBy, storeOf } from './lmdb-expiries.ts';
import { lmdbKeys } from './lmdb-keys.ts';
import type { Lanes } from './lmdb-lanes.ts';
import { readUserId } from './request-record.ts';

export interface Sweeper {
  /** Removes a bounded number of records whose time has come; true when there may be more. */
  sweep(): Promise<boolean>;
}

/**
 * Locks go 7 days after their event's end and requests 90; both follow the event, so no record
 * carries a time of its own. A mark per event says how far the locks are swept.
 */
export function createLmdbSweeper(
  env: Environment,
  registry: EventRegistry,
  lanes: Lanes,
  deadLetters: DeadLetterWriter,
  clock: Clock,
  sliceMax: number,
): Sweeper {
  const sweepExpiries = async (now: number): Promise<boolean> => {
    const expired = expiredBy(env, now, sliceMax);
    for (const { kind, key, entry } of expired) {
      const stored = kind === 'dead-letter' ? env.deadLetters.get(key) : undefined;
      if (stored !== undefined) await expireDeadLetter(decodeJson<DeadLetter>(stored));
      await env.write(() => {
        storeOf(env, kind).remove(key);
        env.expiries.remove(entry);
      });
    }
    return expired.length === sliceMax;
  };

  const expireDeadLetter = (deadLetter: DeadLetter): Promise<void> => {
    const eventNo = registry.numberOf(deadLetter.eventId);
    return lanes.change<void>(eventNo, (draft) => {
      const remove = deadLetters.planRemoval(bytesOf(deadLetter.requestId));
      if (remove === undefined) return { result: undefined };
      draft.deadLetters -= 1;
      return { result: undefined, writes: remove };
    });
  };

  const sweepLocks = async (event: Event): Promise<boolean> => {
    const eventNo = registry.numberOf(event.eventId);
    const markKey = Buffer.from(`locks-swept:${eventNo}`);
    const mark = env.meta.get(markKey);
    const from = mark === undefined ? null : Buffer.from(decodeJson<string>(mark), 'hex');
    const ids = oldestIds(event, eventNo, from);
    const last = ids.at(-1);
    if (last === undefined) return false;
    await env.write(() => {
      for (const idBytes of ids) {
        const record = env.requests.get(idBytes);
        if (record !== undefined) {
          env.participants.remove(lmdbKeys.lock(readUserId(record), eventNo));
        }
      }
      env.meta.put(markKey, encodeJson(last.toString('hex')));
    });
    return true;
  };

  const sweepRequests = async (event: Event): Promise<boolean> => {
    const eventNo = registry.numberOf(event.eventId);
    const ids = oldestIds(event, eventNo, null);
    if (ids.length === 0) return false;
    await env.write(() => {
      for (const idBytes of ids) {
        const record = env.requests.get(idBytes);
        const shard = indexShardOf(requestIdOf(idBytes), event.indexShards);
        if (record !== undefined) {
          env.participants.remove(lmdbKeys.byUser(readUserId(record), idBytes));
        }
        env.requests.remove(idBytes);
        env.byEvent.remove(lmdbKeys.byEvent(eventNo, shard, idBytes));
      }
    });
    return true;
  };

  const oldestIds = (event: Event, eventNo: number, after: Buffer | null): Buffer[] => {
    const ids: Buffer[] = [];
    for (let shard = 0; shard < event.indexShards; shard += 1) {
      const start = lmdbKeys.byEvent(eventNo, shard, after ?? Buffer.alloc(16));
      const end = lmdbKeys.byEvent(eventNo, shard, Buffer.alloc(16, 0xff));
      const range = { start, end, exclusiveStart: after !== null, limit: sliceMax };
      for (const key of env.byEvent.getKeys(range)) ids.push(Buffer.from(key.subarray(6)));
    }
    return ids.sort(Buffer.compare).slice(0, sliceMax);
  };

  return {
    async sweep() {
      const now = clock.now();
      if (await sweepExpiries(now)) return true;
      for (const event of registry.all()) {
        if (expiry.lock(event) > now) continue;
        if (await sweepLocks(event)) return true;
        if (expiry.request(event) <= now && (await sweepRequests(event))) return true;
      }
      return false;
    },
  };
}
