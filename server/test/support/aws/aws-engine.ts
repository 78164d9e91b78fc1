import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { vi } from 'vitest';
import { createAwsClients } from '../../../src/adapters/aws/aws-clients.ts';
import { systemChance } from '../../../src/adapters/system/system-chance.ts';
import { systemIds } from '../../../src/adapters/system/system-ids.ts';
import { systemTimers } from '../../../src/adapters/system/system-timers.ts';
import { openAwsEngine } from '../../../src/main/open-aws-engine.ts';
import type { TestEngine } from '../../contracts/test-engine.ts';
import { nextTurn } from '../manual-timers.ts';
import { silentLogger } from '../test-server.ts';

let created = 0;

/** The AWS engine on a table and queues of its own, in emulators that are already there. */
export async function openAwsTestEngine(): Promise<TestEngine> {
  created += 1;
  const names = {
    table: `Table-${process.pid}-${created}`,
    queue: `main-${process.pid}-${created}`,
    deadLetterQueue: `dead-${process.pid}-${created}`,
  };
  const visibilityMs = 30_000;
  const receivesMax = 3;
  const clients = createAwsClients();
  await createResources(clients, names, visibilityMs, receivesMax);
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
        new CreateQueueCommand({ QueueName: names.queue }),
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

async function createResources(
  { dynamo, sqs }: ReturnType<typeof createAwsClients>,
  names: { readonly table: string; readonly queue: string; readonly deadLetterQueue: string },
  visibilityMs: number,
  receivesMax: number,
): Promise<void> {
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });
  const index = (IndexName: string) => ({
    IndexName,
    KeySchema: [
      { AttributeName: `${IndexName}PK`, KeyType: 'HASH' as const },
      { AttributeName: `${IndexName}SK`, KeyType: 'RANGE' as const },
    ],
    Projection: { ProjectionType: 'KEYS_ONLY' as const },
  });
  await dynamo.send(
    new CreateTableCommand({
      TableName: names.table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'].map(text),
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [index('GSI1'), index('GSI2')],
    }),
  );
  const dead = await sqs.send(new CreateQueueCommand({ QueueName: names.deadLetterQueue }));
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: dead.QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  await sqs.send(
    new CreateQueueCommand({
      QueueName: names.queue,
      Attributes: {
        VisibilityTimeout: String(visibilityMs / 1000),
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: Attributes?.['QueueArn'],
          maxReceiveCount: receivesMax,
        }),
      },
    }),
  );
}
