import type { Event } from '../../domain/event.ts';
import type { EventId, RequestId } from '../../domain/ids.ts';
import { eventPartition } from '../../domain/keys.ts';
import { isFinal, type Status } from '../../domain/request.ts';
import type { DynamoTable, Item } from './dynamo-table.ts';

export interface QueueOrder {
  /** The first place before this one whose request is not settled; those given do not count. */
  firstOpenBefore(
    event: Event,
    place: string,
    except: ReadonlySet<RequestId>,
  ): Promise<string | undefined>;
}

/**
 * SQS keeps no order; the index has it. What is settled up to some place is remembered, so that
 * each part of the index is read about once.
 */
export function createQueueOrder(table: DynamoTable): QueueOrder {
  const settledUpTo = new Map<EventId, string>();

  const listBetween = async (event: Event, after: string, before: string): Promise<Item[]> => {
    const { eventId, indexShards } = event;
    const shards = await Promise.all(
      Array.from({ length: indexShards }, (_, shard) =>
        table.queryAll({
          IndexName: 'GSI2',
          KeyConditionExpression: 'GSI2PK = :partition AND GSI2SK BETWEEN :after AND :before',
          ExpressionAttributeValues: {
            ':partition': eventPartition(eventId, indexShards, shard),
            ':after': after,
            ':before': before,
          },
        }),
      ),
    );
    return shards.flat().filter((item) => placeOf(item) > after && placeOf(item) < before);
  };

  return {
    async firstOpenBefore(event, place, except) {
      const after = settledUpTo.get(event.eventId) ?? firstPlace;
      if (place <= after) return undefined;
      const listed = await listBetween(event, after, place);
      const requests = await table.getMany(listed.map(({ PK, SK }) => ({ PK, SK })));
      const open = requests
        .filter((item) => !isFinal(item['status'] as Status))
        .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
      const firstOpen = open[0];
      const settled = requests
        .map(placeOf)
        .filter((known) => firstOpen === undefined || known < placeOf(firstOpen))
        .sort()
        .at(-1);
      if (settled !== undefined) settledUpTo.set(event.eventId, settled);
      const foreign = open.find((item) => !except.has(item['requestId'] as RequestId));
      return foreign === undefined ? undefined : placeOf(foreign);
    },
  };
}

function placeOf(item: Item): string {
  return String(item['GSI2SK']);
}

const firstPlace = 'QAT#';
