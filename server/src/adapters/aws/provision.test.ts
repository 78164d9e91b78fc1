import {
  CreateTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  type DescribeTableCommandOutput,
  DescribeTimeToLiveCommand,
  ListTablesCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { awsVariables } from '../../../test/support/aws/aws-variables.ts';
import { type Emulator, startDynamoEmulator } from '../../../test/support/aws/dynamo-emulator.ts';
import { errorOfSdk, type Hook, intercepted } from '../../../test/support/aws/intercepted.ts';
import { startSqsEmulator } from '../../../test/support/aws/sqs-emulator.ts';
import { systemTimers } from '../system/system-timers.ts';
import { type AwsClients, createAwsClients } from './aws-clients.ts';
import { provision } from './provision.ts';
import { createTableInput } from './table-shape.ts';

describe('provisioning', () => {
  let dynamo: Emulator;
  let sqs: Emulator;
  let clients: AwsClients;
  let sleptMs: number;
  const options = {
    table: 'Requests',
    queue: 'main',
    deadLetterQueue: 'dead',
    visibilitySeconds: 45,
    receivesMax: 3,
    timers: {
      ...systemTimers,
      async sleep(durationMs: number) {
        sleptMs += durationMs;
      },
    },
  };
  beforeEach(async () => {
    dynamo = await startDynamoEmulator();
    sqs = await startSqsEmulator();
    for (const [name, value] of Object.entries(awsVariables(dynamo, sqs))) vi.stubEnv(name, value);
    clients = createAwsClients();
    sleptMs = 0;
  });
  afterEach(async () => {
    clients.close();
    vi.unstubAllEnvs();
    await Promise.all([dynamo.stop(), sqs.stop()]);
  });

  test('makes a table of the shape with its time to live', async () => {
    await provision(clients, options);
    const { BillingMode, ...shape } = createTableInput('Requests');
    expect(await tableOf('Requests')).toMatchObject({
      ...shape,
      TableStatus: 'ACTIVE',
      BillingModeSummary: { BillingMode },
    });
    expect(await ttlOf('Requests')).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
  });

  test('makes a queue that hands over to the dead-letter queue, which keeps longer', async () => {
    await provision(clients, options);
    const deadLetter = await attributesOf('dead');
    const main = await attributesOf('main');
    expect(deadLetter).toMatchObject({
      VisibilityTimeout: '45',
      MessageRetentionPeriod: '1209600',
      ReceiveMessageWaitTimeSeconds: '20',
    });
    expect(main).toMatchObject({
      VisibilityTimeout: '45',
      MessageRetentionPeriod: '345600',
      ReceiveMessageWaitTimeSeconds: '20',
    });
    expect(JSON.parse(main['RedrivePolicy'] ?? '')).toEqual({
      deadLetterTargetArn: deadLetter['QueueArn'],
      maxReceiveCount: 3,
    });
  });

  test('reports every step, as it is done', async () => {
    const reported: object[] = [];
    const steps = await provision(clients, { ...options, onStep: (step) => reported.push(step) });
    const detail = 'encryption at rest is not supported by this endpoint';
    expect(steps).toEqual([
      { resource: 'table Requests', outcome: 'created' },
      { resource: 'time to live of Requests', outcome: 'created' },
      {
        resource: 'point-in-time recovery of Requests',
        outcome: 'skipped',
        detail: 'not supported by this endpoint',
      },
      { resource: 'deletion protection of Requests', outcome: 'created' },
      { resource: 'queue dead', outcome: 'created', detail },
      { resource: 'queue main', outcome: 'created', detail },
    ]);
    expect(reported).toEqual(steps);
  });

  test('a second run changes nothing and says so', async () => {
    await provision(clients, options);
    const before = await everything();
    expect(outcomesOf(await provision(clients, options))).toEqual([
      'unchanged',
      'unchanged',
      'skipped',
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
    expect(await everything()).toEqual(before);
  });

  test('after a crash anywhere in between the next run carries on', async () => {
    let crashCount = 0;
    for (let crashAfter = 0; ; crashAfter += 1) {
      const names = {
        table: `Requests${crashAfter}`,
        queue: `main${crashAfter}`,
        deadLetterQueue: `dead${crashAfter}`,
      };
      let changes = 0;
      const crashing: Hook = async (command, send) => {
        if (!isChange(command)) return send();
        changes += 1;
        if (changes > crashAfter) throw new Error('crashed');
        return send();
      };
      const run = provision(through(crashing), { ...options, ...names });
      const crashed = await run.then(
        () => false,
        () => true,
      );
      if (!crashed) break;
      crashCount += 1;
      await provision(clients, { ...options, ...names });
      expect(outcomesOf(await provision(clients, { ...options, ...names }))).not.toContain(
        'created',
      );
    }
    expect(crashCount).toBe(4);
  });

  test('a dry run tells the same steps and does nothing', async () => {
    const planned = await provision(clients, { ...options, isDryRun: true });
    expect(await everything()).toEqual({ tables: [], queues: [] });
    const done = await provision(clients, options);
    expect(planned).toEqual(done.map(({ detail, ...step }) => expect.objectContaining(step)));
  });

  test('refuses other shapes, all at once, and changes nothing', async () => {
    await clients.dynamo.send(
      new CreateTableCommand({
        TableName: 'Requests',
        ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );
    await clients.sqs.send(new CreateQueueCommand({ QueueName: 'main' }));
    const before = await everything();
    const message = await provision(clients, options).catch((error: Error) => error.message);
    for (const difference of [
      'table Requests: key is id (HASH, N); it must be PK (HASH, S), SK (RANGE, S)',
      'table Requests: index GSI1 is missing',
      'table Requests: index GSI2 is missing',
      'table Requests: billing mode is PROVISIONED; it must be PAY_PER_REQUEST',
      'queue main: VisibilityTimeout is 30; it must be 45',
      'queue main: RedrivePolicy is none; it must be 3 receives, then arn:aws:sqs:',
    ]) {
      expect(message).toContain(difference);
    }
    expect(await everything()).toEqual(before);
  });

  test('refuses a table of another shape that another run made at the same time', async () => {
    const shape = createTableInput('Requests');
    const withoutIndexes = new CreateTableCommand({
      ...shape,
      AttributeDefinitions: shape.AttributeDefinitions?.slice(0, 2),
      GlobalSecondaryIndexes: undefined,
    });
    const racing: Hook = async (command, send) => {
      if (command instanceof CreateTableCommand) await clients.dynamo.send(withoutIndexes);
      return send();
    };
    await expect(provision(through(racing), options)).rejects.toThrow(/index GSI1 is missing/);
    expect((await everything()).queues).toEqual([]);
  });

  test('turns on what an existing table lacks', async () => {
    await provision(clients, options);
    await clients.dynamo.send(
      new UpdateTableCommand({ TableName: 'Requests', DeletionProtectionEnabled: false }),
    );
    await clients.dynamo.send(
      new UpdateTimeToLiveCommand({
        TableName: 'Requests',
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: false },
      }),
    );
    expect(outcomesOf(await provision(clients, options)).slice(0, 4)).toEqual([
      'unchanged',
      'changed',
      'skipped',
      'changed',
    ]);
    expect(await tableOf('Requests')).toMatchObject({ DeletionProtectionEnabled: true });
    expect(await ttlOf('Requests')).toMatchObject({ TimeToLiveStatus: 'ENABLED' });
  });

  test('waits until the table and its indexes are active', async () => {
    let unsettled = ['none yet', 'CREATING', 'CREATING GSI2'];
    let isCreated = false;
    const slow: Hook = async (command, send) => {
      if (command instanceof CreateTableCommand) isCreated = true;
      if (!(command instanceof DescribeTableCommand) || !isCreated) return send();
      const [state, ...later] = unsettled;
      unsettled = later;
      if (state === 'none yet') throw errorOfSdk('ResourceNotFoundException');
      const answer = (await send()) as DescribeTableCommandOutput;
      if (state === 'CREATING') return { Table: { ...answer.Table, TableStatus: 'CREATING' } };
      if (state === undefined) return answer;
      const indexes = answer.Table?.GlobalSecondaryIndexes?.map((index) => ({
        ...index,
        IndexStatus: index.IndexName === 'GSI2' ? 'CREATING' : 'ACTIVE',
      }));
      return { Table: { ...answer.Table, GlobalSecondaryIndexes: indexes } };
    };
    await provision(through(slow), options);
    expect(unsettled).toEqual([]);
    expect(sleptMs).toBe(3 * 2000);
  });

  test('does not wait for a table for ever', async () => {
    await clients.dynamo.send(new CreateTableCommand(createTableInput('Requests')));
    const stuck: Hook = async (command, send) => {
      const answer = await send();
      if (!(command instanceof DescribeTableCommand)) return answer;
      const { Table } = answer as DescribeTableCommandOutput;
      return { Table: { ...Table, TableStatus: 'UPDATING' } };
    };
    await expect(provision(through(stuck), options)).rejects.toMatchObject({
      name: 'Fault',
      message: expect.stringContaining('The table Requests took more than 5 minutes'),
    });
    expect((await everything()).queues).toEqual([]);
  });

  test('turns point-in-time recovery on where there is one, once backups are set up', async () => {
    let status = 'DISABLED';
    let triesUntilSetUp = 2;
    const recovering: Hook = async (command, send) => {
      if (command instanceof DescribeContinuousBackupsCommand) {
        const recovery = { PointInTimeRecoveryStatus: status };
        return {
          ContinuousBackupsDescription: { PointInTimeRecoveryDescription: recovery },
        };
      }
      if (!(command instanceof UpdateContinuousBackupsCommand)) return send();
      triesUntilSetUp -= 1;
      if (triesUntilSetUp > 0) throw errorOfSdk('ContinuousBackupsUnavailableException');
      status = 'ENABLED';
      return {};
    };
    const recoveryOf = async () => (await provision(through(recovering), options))[2]?.outcome;
    expect(await recoveryOf()).toBe('created');
    expect(status).toBe('ENABLED');
    expect(await recoveryOf()).toBe('unchanged');
  });

  test('an endpoint without deletion protection is no failure', async () => {
    const unprotected: Hook = async (command, send) => {
      const answer = await send();
      if (!(command instanceof DescribeTableCommand)) return answer;
      const { DeletionProtectionEnabled, ...Table } =
        (answer as DescribeTableCommandOutput).Table ?? {};
      return { Table };
    };
    for (const _run of ['first', 'second']) {
      const steps = await provision(through(unprotected), options);
      expect(steps[3]).toMatchObject({
        outcome: 'skipped',
        detail: 'not supported by this endpoint',
      });
    }
  });

  test('asks for encrypted queues, and goes without where that is refused', async () => {
    const asked: (string | undefined)[] = [];
    const strict: Hook = async (command, send) => {
      if (!(command instanceof CreateQueueCommand)) return send();
      const isEncrypted = command.input.Attributes?.SqsManagedSseEnabled;
      asked.push(isEncrypted);
      if (isEncrypted !== undefined) throw errorOfSdk('InvalidAttributeName');
      return send();
    };
    await provision(through(strict), options);
    expect(asked).toEqual(['true', undefined, 'true', undefined]);
    expect((await everything()).queues).toHaveLength(2);
  });

  test('a queue that is encrypted is reported without a remark', async () => {
    const encrypting: Hook = async (command, send) => {
      const answer = await send();
      if (!(command instanceof GetQueueAttributesCommand)) return answer;
      const { Attributes } = answer as { Attributes: Record<string, string> };
      return { Attributes: { ...Attributes, SqsManagedSseEnabled: 'true' } };
    };
    const steps = await provision(through(encrypting), options);
    expect(steps[5]).toEqual({ resource: 'queue main', outcome: 'created' });
  });

  function through(hook: Hook): AwsClients {
    return {
      ...clients,
      dynamo: intercepted(clients.dynamo, hook),
      sqs: intercepted(clients.sqs, hook),
    };
  }

  async function tableOf(TableName: string) {
    return (await clients.dynamo.send(new DescribeTableCommand({ TableName }))).Table;
  }

  async function ttlOf(TableName: string) {
    const answer = await clients.dynamo.send(new DescribeTimeToLiveCommand({ TableName }));
    return answer.TimeToLiveDescription;
  }

  async function attributesOf(QueueName: string): Promise<Record<string, string>> {
    const { QueueUrl } = await clients.sqs.send(new GetQueueUrlCommand({ QueueName }));
    return attributesAt(QueueUrl ?? '');
  }

  async function attributesAt(QueueUrl: string): Promise<Record<string, string>> {
    const all = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    return (await clients.sqs.send(all)).Attributes ?? {};
  }

  /** Every table and queue there is, in full. */
  async function everything() {
    const { TableNames = [] } = await clients.dynamo.send(new ListTablesCommand({}));
    const { QueueUrls = [] } = await clients.sqs.send(new ListQueuesCommand({}));
    return {
      tables: await Promise.all(
        TableNames.map(async (name) => ({ table: await tableOf(name), ttl: await ttlOf(name) })),
      ),
      queues: await Promise.all(QueueUrls.map(attributesAt)),
    };
  }
});

function outcomesOf(steps: readonly { readonly outcome: string }[]): string[] {
  return steps.map(({ outcome }) => outcome);
}

function isChange(command: object): boolean {
  return /^(Create|Update)/.test(command.constructor.name);
}
