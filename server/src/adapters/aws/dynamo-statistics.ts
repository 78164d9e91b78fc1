import type { Event } from '../../domain/event.ts';
import { eventPartition, keys } from '../../domain/keys.ts';
import { percentilesOf } from '../../domain/percentile.ts';
import { RESULT_CODES, type Request, STATUSES } from '../../domain/request.ts';
import { emptyTally, isDisplaced } from '../../domain/tally.ts';
import type { Statistics } from '../../ports/statistics.ts';
import { distributionOf } from './delay-chunks.ts';
import type { DynamoTable, Item } from './dynamo-table.ts';
import type { Extremes } from './event-tallies.ts';
import { requestOf } from './request-item.ts';

/** Adds up what every process counted; the index tells how many were queued at all. */
export function createDynamoStatistics(table: DynamoTable): Statistics {
  const partitionsOf = ({ eventId, indexShards }: Event): string[] =>
    Array.from({ length: indexShards }, (_, shard) => eventPartition(eventId, indexShards, shard));

  const countQueued = async (event: Event): Promise<number> => {
    const counts = await Promise.all(
      partitionsOf(event).map((partition) =>
        table.count({
          IndexName: 'GSI2',
          KeyConditionExpression: 'GSI2PK = :partition',
          ExpressionAttributeValues: { ':partition': partition },
        }),
      ),
    );
    return sum(counts);
  };

  /** A winner can only stand behind somebody rejected between the first of those and the last win. */
  const countInversions = async (event: Event, items: readonly Item[]): Promise<number> => {
    const extremes = items as readonly (Item & Extremes)[];
    const first = extremes.flatMap(({ firstRejected }) => firstRejected ?? []).sort()[0];
    const last = extremes
      .flatMap(({ lastWinner }) => lastWinner ?? [])
      .sort()
      .at(-1);
    if (first === undefined || last === undefined || last < first) return 0;
    const found = await Promise.all(
      partitionsOf(event).map((partition) =>
        table.queryAll({
          IndexName: 'GSI2',
          KeyConditionExpression: 'GSI2PK = :partition AND GSI2SK BETWEEN :first AND :last',
          ExpressionAttributeValues: { ':partition': partition, ':first': first, ':last': last },
        }),
      ),
    );
    const requests = await table.getMany(found.flat().map(({ PK, SK }) => ({ PK, SK })));
    const places = (isWanted: (request: Request) => boolean): string[] =>
      requests.filter((item) => isWanted(requestOf(item))).map((item) => String(item['GSI2SK']));
    const [firstRejected] = places(isRejectedForCapacity).sort();
    if (firstRejected === undefined) return 0;
    const winners = places(({ status }) => status === 'SUCCEEDED');
    return winners.filter((place) => place > firstRejected).length;
  };

  return {
    async of(event) {
      const { PK, SK } = keys.eventStats(event.eventId, '');
      const [items, queuedCount] = await Promise.all([
        table.queryAll({
          KeyConditionExpression: 'PK = :event AND begins_with(SK, :stats)',
          ExpressionAttributeValues: { ':event': PK, ':stats': SK },
          ConsistentRead: true,
        }),
        countQueued(event),
      ]);
      const total = (name: string) => sum(items.map((item) => Number(item[name] ?? 0)));
      const tally = emptyTally();
      for (const status of STATUSES) tally.byStatus[status] = total(status);
      for (const code of RESULT_CODES) tally.byResultCode[code] = total(code);
      const { PROCESSING, SUCCEEDED, REJECTED, FAILED_FINAL } = tally.byStatus;
      const neverQueued = tally.byResultCode.FAILED_INGEST_ENQUEUE;
      const begun = PROCESSING + SUCCEEDED + REJECTED + FAILED_FINAL - neverQueued;
      tally.byStatus.QUEUED = Math.max(0, queuedCount - begun);
      return {
        byStatus: tally.byStatus,
        byResultCode: tally.byResultCode,
        displaced: total('displaced'),
        inversions: await countInversions(event, items),
        deadLetters: total('deadLetters'),
        queueDelayMs: percentilesOf(distributionOf('queue', items)),
        e2eDelayMs: percentilesOf(distributionOf('e2e', items)),
      };
    },
  };
}

function isRejectedForCapacity(request: Request): boolean {
  return request.resultCode === 'REJECTED_CAPACITY' && !isDisplaced(request);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
