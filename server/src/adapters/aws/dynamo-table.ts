import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOffMs } from '../../domain/back-off.ts';
import { Fault } from '../../domain/errors.ts';
import type { Chance } from '../../ports/chance.ts';
import type { Timers } from '../../ports/timers.ts';
import { isConditionFailed, isTransactionCancelled, translated } from './aws-faults.ts';
import { chunksOf } from './chunks-of.ts';
import { createLimitCalls } from './limit-calls.ts';

export interface Key {
  readonly PK: string;
  readonly SK: string;
}

export type Item = Record<string, unknown> & Key;

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Part<Kind extends keyof TransactItem> = Omit<NonNullable<TransactItem[Kind]>, 'TableName'>;

export type Query = Omit<QueryCommandInput, 'TableName'>;

/** One write, alone or as a part of a transaction. */
export type Write =
  | { readonly Put: Part<'Put'> }
  | { readonly Update: Part<'Update'> }
  | { readonly Delete: Part<'Delete'> };

/** Whether it was written, and if not, what stood there. */
export type Written =
  | { readonly kind: 'written' }
  | { readonly kind: 'refused'; readonly found: Item | undefined };

export type Transacted =
  | { readonly kind: 'written' }
  /** Nothing was written. One entry a write: what stood in its way, or null. */
  | { readonly kind: 'refused'; readonly refusals: readonly (Refusal | null)[] };

export interface Refusal {
  readonly found: Item | undefined;
}

export interface DynamoTable {
  /** Consistently read, as all reads of items are. */
  get(key: Key): Promise<Item | undefined>;
  /** Those that exist, in any order. */
  getMany(keys: readonly Key[]): Promise<Item[]>;
  /** One page of a query; an index is behind by a moment. */
  query(query: Query): Promise<Item[]>;
  /** How many a query finds, over all its pages. */
  count(query: Query): Promise<number>;
  /** All that a query finds, over all its pages. */
  queryAll(query: Query): Promise<Item[]>;
  write(write: Write): Promise<Written>;
  /** A write that tells when it is made: it is made when its call goes out, before any that waits. */
  stamp(write: () => Write): Promise<Written>;
  /** All or none of at most 100. A conflict with another transaction is tried again. */
  transact(writes: readonly Write[]): Promise<Transacted>;
}

export function createDynamoTable(
  client: DynamoDBDocumentClient,
  TableName: string,
  timers: Timers,
  chance: Chance,
): DynamoTable {
  const limitCalls = createLimitCalls(callsMax, waitingMax);
  const send = <Result>(call: () => Promise<Result>): Promise<Result> =>
    translated(service, limitCalls(call));
  const pause = (attempt: number): Promise<void> =>
    timers.sleep(backOffMs(attempt, chance.fraction(), pauseMsMax));

  const getChunk = async (keys: readonly Key[]): Promise<Item[]> => {
    const items: Item[] = [];
    let Keys: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
    for (let attempt = 1; Keys.length > 0; attempt += 1) {
      if (attempt > attemptsMax) throw throttled();
      if (attempt > 1) await pause(attempt);
      const RequestItems = { [TableName]: { Keys, ConsistentRead: true } };
      const answer = await send(() => client.send(new BatchGetCommand({ RequestItems })));
      items.push(...((answer.Responses?.[TableName] ?? []) as Item[]));
      Keys = answer.UnprocessedKeys?.[TableName]?.Keys ?? [];
    }
    return items;
  };

  async function* pagesOf(query: Query): AsyncGenerator<QueryCommandOutput> {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const command = new QueryCommand({ TableName, ...query, ExclusiveStartKey });
      const page: QueryCommandOutput = await send(() => client.send(command));
      yield page;
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
  }

  return {
    async get(key) {
      const command = new GetCommand({ TableName, Key: key, ConsistentRead: true });
      return (await send(() => client.send(command))).Item as Item | undefined;
    },

    async getMany(keys) {
      const chunks = chunksOf(keys, batchGetMax);
      return (await Promise.all(chunks.map(getChunk))).flat();
    },

    async query(query) {
      const command = new QueryCommand({ TableName, ...query });
      return ((await send(() => client.send(command))).Items ?? []) as Item[];
    },

    async count(query) {
      let count = 0;
      for await (const page of pagesOf({ ...query, Select: 'COUNT' })) count += page.Count ?? 0;
      return count;
    },

    async queryAll(query) {
      const items: Item[] = [];
      for await (const page of pagesOf(query)) items.push(...((page.Items ?? []) as Item[]));
      return items;
    },

    write: (write) => writtenBy(send(() => sendOne(client, TableName, write))),

    stamp: (write) =>
      writtenBy(
        translated(
          service,
          limitCalls.urgent(() => sendOne(client, TableName, write())),
        ),
      ),

    async transact(writes) {
      const TransactItems = writes.map((write) => inTable(TableName, write));
      for (let attempt = 1; ; attempt += 1) {
        try {
          await send(() => client.send(new TransactWriteCommand({ TransactItems })));
          return { kind: 'written' };
        } catch (error) {
          if (!isTransactionCancelled(error)) throw error;
          const reasons = error.CancellationReasons ?? [];
          if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) {
            return { kind: 'refused', refusals: reasons.map(refusalOf) };
          }
          if (attempt === attemptsMax) throw conflicted(error);
          await pause(attempt);
        }
      }
    },
  };
}

async function writtenBy(call: Promise<unknown>): Promise<Written> {
  try {
    await call;
    return { kind: 'written' };
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
    return { kind: 'refused', found: unmarshalled(error.Item) };
  }
}

function sendOne(
  client: DynamoDBDocumentClient,
  TableName: string,
  write: Write,
): Promise<unknown> {
  const ReturnValuesOnConditionCheckFailure = 'ALL_OLD';
  if ('Put' in write) {
    return client.send(
      new PutCommand({ TableName, ...write.Put, ReturnValuesOnConditionCheckFailure }),
    );
  }
  if ('Update' in write) {
    return client.send(
      new UpdateCommand({ TableName, ...write.Update, ReturnValuesOnConditionCheckFailure }),
    );
  }
  return client.send(
    new DeleteCommand({ TableName, ...write.Delete, ReturnValuesOnConditionCheckFailure }),
  );
}

function inTable(TableName: string, write: Write): TransactItem {
  const common = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  if ('Put' in write) return { Put: { ...write.Put, ...common } };
  if ('Update' in write) return { Update: { ...write.Update, ...common } };
  return { Delete: { ...write.Delete, ...common } };
}

function refusalOf(reason: {
  readonly Code?: string;
  readonly Item?: Record<string, unknown>;
}): Refusal | null {
  return reason.Code === 'ConditionalCheckFailed' ? { found: unmarshalled(reason.Item) } : null;
}

/** Errors carry items as they travel, not as the document client reads them. */
function unmarshalled(item: Record<string, unknown> | undefined): Item | undefined {
  return item === undefined ? undefined : (unmarshall(item as never) as Item);
}

function conflicted(cause: unknown): Fault {
  return new Fault('UNAVAILABLE', 'DynamoDB met one conflict after another.', {
    retryable: true,
    cause,
  });
}

function throttled(): Fault {
  return new Fault('UNAVAILABLE', 'DynamoDB left keys unprocessed again and again.', {
    retryable: true,
  });
}

const service = 'DynamoDB';
/** As many as the client has sockets. */
const callsMax = 128;
const waitingMax = 20_000;
const batchGetMax = 100;
const attemptsMax = 8;
const pauseMsMax = 2000;
