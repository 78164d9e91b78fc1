import type { Event } from '../../domain/event.ts';
import { parseRequestId, type RequestId } from '../../domain/ids.ts';
import { mergeSorted } from '../../domain/merge-sorted.ts';
import type { Request } from '../../domain/request.ts';
import { bytesOf, requestIdOf } from '../../domain/request-id-bytes.ts';
import { BadPosition, type Page, type PageRequest } from '../../ports/page.ts';
import type { Order, Requests } from '../../ports/requests.ts';
import type { Environment, Store } from './lmdb-environment.ts';
import type { EventRegistry } from './lmdb-events.ts';
import { highestId, lmdbKeys, lowestId } from './lmdb-keys.ts';
import { readLog } from './lmdb-status-log.ts';
import {
  readEventNo,
  readProgress,
  readQueuedAt,
  readRequestedAt,
  readUserId,
} from './request-record.ts';

export function createLmdbRequests(env: Environment, registry: EventRegistry): Requests {
  const read = (idBytes: Buffer, requestId = requestIdOf(idBytes)): Request | undefined => {
    const record = env.requests.get(idBytes);
    return record === undefined ? undefined : requestOf(registry, requestId, record);
  };

  const pageOf = (ids: readonly Buffer[], limit: number): Page<Request> => {
    const items = ids.slice(0, limit).flatMap((idBytes) => read(idBytes) ?? []);
    const last = ids[limit - 1];
    return { items, next: ids.length > limit && last !== undefined ? requestIdOf(last) : null };
  };

  const listShard = (event: Event, shard: number, order: Order, page: PageRequest): Buffer[] => {
    const eventNo = registry.numberOf(event.eventId);
    return listIds(env.byEvent, (id) => lmdbKeys.byEvent(eventNo, shard, id), order, page);
  };

  return {
    async get(requestId) {
      return read(bytesOf(requestId), requestId);
    },

    async listByUser(userId, page) {
      const keyOf = (idBytes: Buffer) => lmdbKeys.byUser(userId, idBytes);
      return pageOf(listIds(env.participants, keyOf, 'desc', page), page.limit);
    },

    async listByEvent(event, order, page) {
      const shards = Array.from({ length: event.indexShards }, (_, shard) =>
        listShard(event, shard, order, page),
      );
      const direction = order === 'asc' ? 1 : -1;
      const compare = (a: Buffer, b: Buffer) => direction * a.compare(b);
      return pageOf(mergeSorted(shards, compare, page.limit + 1), page.limit);
    },

    positionAfter: (request) => request.requestId,

    /** An admission is one write here: there is no request that did not reach the queue. */
    async listEnqueueFailures() {
      return { items: [], next: null };
    },

    async logOf(requestId) {
      return readLog(env, bytesOf(requestId));
    },
  };
}

export function requestOf(
  registry: EventRegistry,
  requestId: RequestId,
  bytes: Buffer,
): Request | undefined {
  const event = registry.byNumber(readEventNo(bytes));
  if (event === undefined) return undefined;
  const { status, resultCode, startedAt, finishedAt, failure, redriven } = readProgress(bytes);
  return {
    requestId,
    eventId: event.eventId,
    userId: readUserId(bytes),
    eventType: event.eventType,
    requestedAt: readRequestedAt(bytes),
    queuedAt: readQueuedAt(bytes),
    status,
    resultCode,
    startedAt,
    finishedAt,
    failure,
    redriven,
  };
}

/** One id more than asked for, which tells whether the list goes on. */
function listIds(
  store: Store,
  keyOf: (idBytes: Buffer) => Buffer,
  order: Order,
  { after, limit }: PageRequest,
): Buffer[] {
  const ascending = order === 'asc';
  const start = after === null ? (ascending ? lowestId : highestId) : bytesOf(positionOf(after));
  const keys = store.getKeys({
    start: keyOf(start),
    end: keyOf(ascending ? highestId : lowestId),
    exclusiveStart: after !== null,
    inclusiveEnd: true,
    reverse: !ascending,
    limit: limit + 1,
  });
  return [...keys.map((key) => Buffer.from(key.subarray(key.length - 16)))];
}

function positionOf(after: string): RequestId {
  const requestId = parseRequestId(after);
  if (requestId === undefined) throw new BadPosition();
  return requestId;
}
