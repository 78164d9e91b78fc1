import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { type AwsClients, createAwsClients } from '../adapters/aws/aws-clients.ts';
import { translated } from '../adapters/aws/aws-faults.ts';
import { createDeadLetterKeeper } from '../adapters/aws/dead-letter-keeper.ts';
import { createDynamoAdmissionSteps } from '../adapters/aws/dynamo-admission-steps.ts';
import { createDynamoAuditTrail } from '../adapters/aws/dynamo-audit-trail.ts';
import { createDynamoDeadLetters } from '../adapters/aws/dynamo-dead-letters.ts';
import { createDynamoEvents } from '../adapters/aws/dynamo-events.ts';
import { createDynamoLocks } from '../adapters/aws/dynamo-locks.ts';
import { createDynamoRedelivery } from '../adapters/aws/dynamo-redelivery.ts';
import { createDynamoRequests } from '../adapters/aws/dynamo-requests.ts';
import { createDynamoSettlement } from '../adapters/aws/dynamo-settlement.ts';
import { createDynamoStatistics } from '../adapters/aws/dynamo-statistics.ts';
import { createDynamoTable } from '../adapters/aws/dynamo-table.ts';
import { createEventTallies } from '../adapters/aws/event-tallies.ts';
import { createQueueOrder } from '../adapters/aws/queue-order.ts';
import { createReadQueued } from '../adapters/aws/queued-requests.ts';
import { createReadiness } from '../adapters/aws/readiness.ts';
import { createCallInBatches } from '../adapters/aws/sqs-batches.ts';
import { createSqsQueue } from '../adapters/aws/sqs-queue.ts';
import { createSqsSender } from '../adapters/aws/sqs-sender.ts';
import { createStatusLogs } from '../adapters/aws/status-logs.ts';
import { createChangeNotices } from '../adapters/system/change-notices.ts';
import { createRequestIds } from '../adapters/system/request-ids.ts';
import { createAdmitInSteps } from '../participation/admit-in-steps.ts';
import type { Chance } from '../ports/chance.ts';
import type { Clock } from '../ports/clock.ts';
import type { Engine } from '../ports/engine.ts';
import type { Ids } from '../ports/ids.ts';
import { type Line, notInLine } from '../ports/line.ts';
import type { Logger } from '../ports/logger.ts';
import type { Timers } from '../ports/timers.ts';

export interface AwsEngineOptions {
  readonly table: string;
  readonly queue: string;
  readonly deadLetterQueue: string;
  readonly visibilityMs: number;
  readonly receivesMax: number;
  readonly settleHoldMs: number;
  readonly statusLog: 'exceptions' | 'all';
}

export interface AwsEngineParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly chance: Chance;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Opens what `fairline aws provision` created; never creates anything. */
export async function openAwsEngine(
  options: AwsEngineOptions,
  { clock, timers, chance, ids, logger }: AwsEngineParts,
): Promise<Engine> {
  const clients = createAwsClients();
  const { queueUrl, deadLetterUrl } = await resolveNames(clients, options).catch((error) => {
    clients.close();
    throw error;
  });
  const { sqs } = clients;
  const table = createDynamoTable(clients.dynamo, options.table, timers, chance);
  const notices = createChangeNotices();
  const tallies = createEventTallies(ids.next());
  const logs = createStatusLogs(table, options.statusLog);
  const events = createDynamoEvents(table, clock, configCacheMs);
  const requests = createDynamoRequests(table);
  const steps = createDynamoAdmissionSteps(table, tallies);
  const callInBatches = createCallInBatches(timers, chance);
  const sender = createSqsSender(sqs, queueUrl, timers, callInBatches);
  const openQueue = (url: string, holdMs: number) =>
    createSqsQueue(sqs, url, callInBatches, clock, timers, logger, {
      visibilityMs: options.visibilityMs,
      holdMs,
    });
  const queue = openQueue(queueUrl, options.settleHoldMs);
  const readQueued = createReadQueued(table, steps, clock, timers);
  const holdMs = options.settleHoldMs;
  const settlement = createDynamoSettlement({
    ...{ table, events, readQueued, tallies, logs, notices, clock, timers, holdMs },
    order: createQueueOrder(table),
  });
  const deadLetters = createDynamoDeadLetters(table, tallies, clock);
  const keeper = createDeadLetterKeeper(
    openQueue(deadLetterUrl, 0),
    requests,
    settlement,
    deadLetters,
    clock,
    options.receivesMax,
  );
  let keeping: { stop(): void } | undefined;
  /** Whoever receives also keeps: a poll may wait for long, a dead letter should not. */
  const keepRegularly = () =>
    timers.every(keepIntervalMs, () =>
      keeper.keep(new AbortController().signal).catch((error: unknown) => {
        logger.error({ err: error }, 'Dead letters could not be taken over; trying again.');
      }),
    );
  const parts = { table, events, requests, steps, sender, deadLetters, tallies, logs, notices };

  return {
    admission: createAdmitInSteps({
      locks: createDynamoLocks(table),
      requests,
      steps,
      sender,
      requestIds: createRequestIds(clock, 0),
      clock,
      timers,
      logger,
    }),
    events,
    requests,
    queue: {
      ...queue,
      async receive(limit, waitMs, signal) {
        keeping ??= keepRegularly();
        const deliveries = await queue.receive(limit, waitMs, signal);
        await keeper.keep(signal);
        return deliveries;
      },
    },
    settlement,
    deadLetters,
    redelivery: createDynamoRedelivery({ ...parts, clock }),
    statistics: createDynamoStatistics(table),
    line: unknownLine,
    changes: notices,
    audit: createDynamoAuditTrail(table, clock),
    configCacheMs,
    indexShardsDefault: 16,
    sweep: async () => false,
    check: createReadiness(table, queue, clock),
    announceStop() {},
    async close() {
      keeping?.stop();
      const limit = new AbortController();
      await Promise.race([queue.drained(), timers.sleep(drainMsMax, limit.signal)]);
      limit.abort();
      clients.close();
    },
  };
}

async function resolveNames(
  { dynamo, sqs }: AwsClients,
  { table, queue, deadLetterQueue }: AwsEngineOptions,
) {
  await translated('DynamoDB', dynamo.send(new DescribeTableCommand({ TableName: table })));
  return {
    queueUrl: await urlOf(sqs, queue),
    deadLetterUrl: await urlOf(sqs, deadLetterQueue),
  };
}

async function urlOf(sqs: SQSClient, QueueName: string): Promise<string> {
  const { QueueUrl } = await translated('SQS', sqs.send(new GetQueueUrlCommand({ QueueName })));
  return QueueUrl ?? '';
}

/** SQS does not tell who is ahead of whom. */
const unknownLine: Line = { standingOf: () => notInLine };
const configCacheMs = 2000;
const keepIntervalMs = 1000;
/** A poll that SQS still serves may hold a message; it becomes visible again by itself. */
const drainMsMax = 2000;
