import type { Event } from '../../domain/event.ts';
import type { RequestId, UserId } from '../../domain/ids.ts';
import { eventPartition, keys, queuePlace } from '../../domain/keys.ts';
import { mergeSorted } from '../../domain/merge-sorted.ts';
import type { Request } from '../../domain/request.ts';
import type { StatusChange } from '../../domain/timeline.ts';
import { BadPosition, type Page, type PageRequest } from '../../ports/page.ts';
import type { Order, Requests } from '../../ports/requests.ts';
import type { DynamoTable, Item } from './dynamo-table.ts';
import { requestOf } from './request-item.ts';

/** The indexes give the order; what a request is now is read from the table itself. */
export function createDynamoRequests(table: DynamoTable): Requests {
  const readAll = async (ids: readonly RequestId[]): Promise<Request[]> => {
    const items = await table.getMany(ids.map((requestId) => keys.request(requestId)));
    const byId = new Map(items.map((item) => [item['requestId'], requestOf(item)]));
    return ids.flatMap((requestId) => byId.get(requestId) ?? []);
  };

  const pageOf = async (places: readonly string[], limit: number): Promise<Page<Request>> => ({
    items: await readAll(places.slice(0, limit).map(requestIdAt)),
    next: places.length > limit ? (places[limit - 1] ?? null) : null,
  });

  const placesOf = async (
    index: 'GSI1' | 'GSI2',
    partition: string,
    order: Order,
    { after, limit }: PageRequest,
  ): Promise<string[]> => {
    const compare = order === 'asc' ? '>' : '<';
    const start = after === null ? (order === 'asc' ? 'QAT#' : 'QAT#~') : placeOf(after);
    const items = await table.query({
      IndexName: index,
      KeyConditionExpression: `${index}PK = :partition AND ${index}SK ${compare} :start`,
      ExpressionAttributeValues: { ':partition': partition, ':start': start },
      ScanIndexForward: order === 'asc',
      Limit: limit + 1,
    });
    return items.map((item) => String(item[`${index}SK`]));
  };

  return {
    async get(requestId) {
      const item = await table.get(keys.request(requestId));
      return item === undefined ? undefined : requestOf(item);
    },

    async listByUser(userId: UserId, page) {
      return pageOf(await placesOf('GSI1', `USER#${userId}`, 'desc', page), page.limit);
    },

    async listByEvent({ eventId, indexShards }: Event, order, page) {
      const shards = await Promise.all(
        Array.from({ length: indexShards }, (_, shard) =>
          placesOf('GSI2', eventPartition(eventId, indexShards, shard), order, page),
        ),
      );
      const direction = order === 'asc' ? 1 : -1;
      const compare = (a: string, b: string) => (a < b ? -direction : direction);
      return pageOf(mergeSorted(shards, compare, page.limit + 1), page.limit);
    },

    positionAfter: ({ queuedAt, requestId }) => queuePlace(queuedAt ?? 0, requestId),

    async listEnqueueFailures({ eventId }, { after, limit }) {
      if (after !== null && !failurePattern.test(after)) throw new BadPosition();
      const items = await table.query({
        KeyConditionExpression: 'PK = :failures AND SK < :before',
        ExpressionAttributeValues: { ':failures': `ENQFAIL#${eventId}`, ':before': after ?? '~' },
        ScanIndexForward: false,
        Limit: limit + 1,
        ConsistentRead: true,
      });
      const ids = items.slice(0, limit).map((item) => item['requestId'] as RequestId);
      const last = items[limit - 1];
      return {
        items: await readAll(ids),
        next: items.length > limit && last !== undefined ? last.SK : null,
      };
    },

    async logOf(requestId) {
      const items = await table.query({
        KeyConditionExpression: 'PK = :request AND begins_with(SK, :log)',
        ExpressionAttributeValues: { ':request': keys.request(requestId).PK, ':log': 'LOG#' },
        Limit: logEntriesMax,
        ConsistentRead: true,
      });
      return items.map(changeOf);
    },
  };
}

function changeOf(item: Item): StatusChange {
  const { fromStatus, toStatus, occurredAt, message } = item as unknown as StatusChange;
  return { fromStatus: fromStatus ?? null, toStatus, occurredAt, message: message ?? null };
}

function placeOf(after: string): string {
  if (!placePattern.test(after)) throw new BadPosition();
  return after;
}

function requestIdAt(place: string): RequestId {
  return place.slice(place.lastIndexOf('#') + 1) as RequestId;
}

const placePattern = /^QAT#\d{13}#REQ#[0-9a-f-]{36}$/;
const failurePattern = /^\d{13}#[0-9a-f-]{36}$/;
const logEntriesMax = 100;
