import { DeleteQueueCommand, GetQueueUrlCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { vi } from 'vitest';
import { createAwsClients } from '../../../src/adapters/aws/aws-clients.ts';
import { createDynamoTable, type DynamoTable } from '../../../src/adapters/aws/dynamo-table.ts';
import { provision } from '../../../src/adapters/aws/provision.ts';
import { systemChance } from '../../../src/adapters/system/system-chance.ts';
import { systemIds } from '../../../src/adapters/system/system-ids.ts';
import { systemTimers } from '../../../src/adapters/system/system-timers.ts';
import { openAwsEngine } from '../../../src/main/open-aws-engine.ts';
import type { TestEngine } from '../../contracts/test-engine.ts';
import { nextTurn } from '../manual-timers.ts';
import { silentLogger } from '../test-server.ts';

export interface AwsTestEngine extends TestEngine {
  /** The table, beside the engine: to leave behind what a crash would. */
  readonly table: DynamoTable;
  /** The queue takes nothing while it is away. */
  removeQueue(): Promise<void>;
  restoreQueue(): Promise<void>;
}

let created = 0;

/** The AWS engine on a table and queues of its own, in emulators that are already there. */
export async function openAwsTestEngine(): Promise<AwsTestEngine> {
  created += 1;
  const names = {
    table: `Table-${process.pid}-${created}`,
    queue: `main-${process.pid}-${created}`,
    deadLetterQueue: `dead-${process.pid}-${created}`,
  };
  const visibilityMs = 30_000;
  const receivesMax = 3;
  const clients = createAwsClients();
  const visibilitySeconds = visibilityMs / 1000;
  const prepare = async (): Promise<void> => {
    await provision(clients, { ...names, visibilitySeconds, receivesMax, timers: systemTimers });
  };
  await prepare();
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });

  const open = () =>
    openAwsEngine(
      { ...names, visibilityMs, receivesMax, settleHoldMs: 0, statusLog: 'exceptions' },
      {
        clock: { now: () => Date.now() },
        timers: systemTimers,
        chance: systemChance,
        ids: systemIds,
        logger: silentLogger,
      },
    );
  let engine = await open();

  return {
    table: createDynamoTable(clients.dynamo, names.table, systemTimers, systemChance),
    async removeQueue() {
      const { QueueUrl } = await clients.sqs.send(
        new GetQueueUrlCommand({ QueueName: names.queue }),
      );
      await clients.sqs.send(new DeleteQueueCommand({ QueueUrl }));
    },
    restoreQueue: prepare,
    get engine() {
      return engine;
    },
    visibilityMs,
    receivesMax,
    pollMs: 1000,
    countsWhatIsGivenBack: true,
    now: () => Date.now(),
    async advance(ms) {
      vi.setSystemTime(Date.now() + ms);
      await nextTurn();
    },
    async restart({ clockBackMs = 0 } = {}) {
      await engine.close();
      vi.setSystemTime(Date.now() - clockBackMs);
      engine = await open();
    },
    async putUndecodableMessage() {
      const { QueueUrl } = await clients.sqs.send(
        new GetQueueUrlCommand({ QueueName: names.queue }),
      );
      await clients.sqs.send(
        new SendMessageCommand({ QueueUrl, MessageBody: 'no message of ours' }),
      );
      return null;
    },
    async close() {
      await engine.close();
      clients.close();
      vi.useRealTimers();
    },
  };
}
