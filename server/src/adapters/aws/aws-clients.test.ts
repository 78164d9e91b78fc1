import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { awsVariables } from '../../../test/support/aws/aws-variables.ts';
import { type Emulator, startDynamoEmulator } from '../../../test/support/aws/dynamo-emulator.ts';
import { startSqsEmulator } from '../../../test/support/aws/sqs-emulator.ts';
import { type AwsClients, createAwsClients } from './aws-clients.ts';
import { translated } from './aws-faults.ts';

describe('the AWS clients', () => {
  let dynamo: Emulator;
  let sqs: Emulator;
  let clients: AwsClients;
  beforeEach(async () => {
    dynamo = await startDynamoEmulator();
    sqs = await startSqsEmulator();
    for (const [name, value] of Object.entries(awsVariables(dynamo, sqs))) vi.stubEnv(name, value);
    clients = createAwsClients();
  });
  afterEach(async () => {
    clients.close();
    vi.unstubAllEnvs();
    await Promise.all([dynamo.stop(), sqs.stop()]);
  });

  test('go where the SDK’s own variables point', async () => {
    expect((await clients.dynamo.send(new ListTablesCommand({}))).TableNames).toEqual([]);
    await clients.sqs.send(new CreateQueueCommand({ QueueName: 'some' }));
    const { QueueUrls } = await clients.sqs.send(new ListQueuesCommand({}));
    expect(QueueUrls).toEqual([expect.stringMatching(/\/some$/)]);
  });

  test('a service that is gone is a retryable fault that says so', async () => {
    await dynamo.stop();
    const call = translated('DynamoDB', clients.dynamo.send(new ListTablesCommand({})));
    await expect(call).rejects.toMatchObject({
      name: 'Fault',
      code: 'UNAVAILABLE',
      retryable: true,
      message: expect.stringContaining('DynamoDB could not be reached'),
    });
  });
});
