import type { MessageId, RequestId } from '../../domain/ids.ts';
import { dayOf, keys } from '../../domain/keys.ts';
import { expiry } from '../../domain/retention.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DeadLetter, DeadLetters } from '../../ports/dead-letters.ts';
import { listDays } from './days.ts';
import type { DynamoTable, Item, Key, Write } from './dynamo-table.ts';
import type { EventTallies } from './event-tallies.ts';
import { ttlOf } from './request-item.ts';
import { deleteItem, ifAbsent, putItem } from './write-items.ts';

export interface DynamoDeadLetters extends DeadLetters {
  /** Records one, counted with its event; one that is recorded already stays as it is. */
  record(letter: DeadLetter): Promise<void>;
  /** The write that removes one, if it is there; the caller counts it. */
  planRemoval(messageId: MessageId): Promise<Write | undefined>;
}

/** Their ids begin with the time at which they died, which tells where they are kept. */
export function createDynamoDeadLetters(
  table: DynamoTable,
  tallies: EventTallies,
  clock: Clock,
): DynamoDeadLetters {
  return {
    async record(letter) {
      const { occurredAt, messageId, eventId } = letter;
      await table.transact([
        putItem(
          {
            ...keys.deadLetter(occurredAt, messageId),
            entityType: 'DEAD_LETTER',
            ...letter,
            ttl: ttlOf(expiry.deadLetter(occurredAt)),
          },
          ifAbsent,
        ),
        tallies.countDeadLetter(eventId, 1),
      ]);
    },

    async list(page) {
      const days = { latest: clock.now() + skewMs, count: keptDays };
      const { items, next } = await listDays(table, 'DLQ#', days, page);
      return { items: items.map(deadLetterOf), next };
    },

    async get(messageId) {
      const key = keyOf(messageId);
      const item = key === undefined ? undefined : await table.get(key);
      return item === undefined ? undefined : deadLetterOf(item);
    },

    async planRemoval(messageId) {
      const key = keyOf(messageId);
      const item = key === undefined ? undefined : await table.get(key);
      return item === undefined ? undefined : removalOf(item);
    },

    async remove(messageId) {
      const key = keyOf(messageId);
      const item = key === undefined ? undefined : await table.get(key);
      if (item === undefined) return false;
      const { eventId } = deadLetterOf(item);
      const removed = await table.transact([removalOf(item), tallies.countDeadLetter(eventId, -1)]);
      return removed.kind === 'written';
    },

    async depth() {
      const today = clock.now() + skewMs;
      const counts = await Promise.all(
        Array.from({ length: keptDays }, (_, index) =>
          table.count({
            KeyConditionExpression: 'PK = :day',
            ExpressionAttributeValues: { ':day': `DLQ#${dayOf(today - index * dayMs)}` },
            ConsistentRead: true,
          }),
        ),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

/** One for each time that a request failed, however many messages it had. */
export function deadLetterIdOf({ finishedAt, requestId }: DeadRequest): MessageId {
  return `${String(finishedAt ?? 0).padStart(13, '0')}-${requestId}` as MessageId;
}

type DeadRequest = { readonly finishedAt: number | null; readonly requestId: RequestId };

function removalOf({ PK, SK }: Key): Write {
  return deleteItem({ PK, SK }, { text: 'attribute_exists(#PK)' });
}

function keyOf(messageId: MessageId): Key | undefined {
  const occurredAt = /^\d{13}(?=-)/.exec(messageId)?.[0];
  return occurredAt === undefined ? undefined : keys.deadLetter(Number(occurredAt), messageId);
}

function deadLetterOf(item: Item): DeadLetter {
  const { PK: _pk, SK: _sk, entityType: _entityType, ttl: _ttl, ...letter } = item;
  return letter as unknown as DeadLetter;
}

const skewMs = 60_000;
const dayMs = 24 * 60 * 60 * 1000;
/** Thirty whole days, and those that have begun at both ends. */
const keptDays = 32;
