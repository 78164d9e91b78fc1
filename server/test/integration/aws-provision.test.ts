import {
  CreateTableCommand,
  DescribeTableCommand,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AwsClients, createAwsClients } from '../../src/adapters/aws/aws-clients.ts';
import { awsVariables } from '../support/aws/aws-variables.ts';
import { type Emulator, startDynamoEmulator } from '../support/aws/dynamo-emulator.ts';
import { startSqsEmulator } from '../support/aws/sqs-emulator.ts';
import { runCli, spawnServer } from '../support/child-server.ts';
import { scratchDirectory } from '../support/test-server.ts';

describe('fairline aws provision', () => {
  let dynamo: Emulator;
  let sqs: Emulator;
  let environment: Record<string, string>;
  let clients: AwsClients;
  beforeEach(async () => {
    dynamo = await startDynamoEmulator();
    sqs = await startSqsEmulator();
    environment = awsVariables(dynamo, sqs);
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    clients = createAwsClients();
  });
  afterEach(async () => {
    clients.close();
    vi.unstubAllEnvs();
    await Promise.all([dynamo.stop(), sqs.stop()]);
  });

  test('creates everything, and a second run says that nothing changed', async () => {
    const first = await runCli(['aws', 'provision'], environment);
    expect(first.output).toBe(
      [
        '  created      table AsyncEventTable',
        '  created      time to live of AsyncEventTable',
        '  skipped      point-in-time recovery of AsyncEventTable (not supported by this endpoint)',
        '  created      deletion protection of AsyncEventTable',
        '  created      queue fairline-dlq (encryption at rest is not supported by this endpoint)',
        '  created      queue fairline-main (encryption at rest is not supported by this endpoint)',
        'Everything is in place in ap-northeast-2.',
        'Next: set FAIRLINE_ENGINE=aws.',
        '',
      ].join('\n'),
    );
    expect(first.code).toBe(0);
    const made = await everything();
    expect(made).toHaveLength(3);

    const second = await runCli(['aws', 'provision'], environment);
    expect(second.output).not.toMatch(/^ *(created|changed)/m);
    expect(second.output).toContain('Nothing to change in ap-northeast-2');
    expect(second.output).toContain('FAIRLINE_ENGINE=aws');
    expect(second.code).toBe(0);
    expect(JSON.stringify(await everything())).toBe(JSON.stringify(made));
  });

  test('a dry run says what it would do and creates nothing', async () => {
    const { code, output } = await runCli(['aws', 'provision', '--dry-run'], environment);
    expect(code).toBe(0);
    expect(output).toContain('would create table AsyncEventTable');
    expect(output).toContain('would create queue fairline-main');
    expect(output).toContain('Nothing was changed');
    expect(await everything()).toEqual([]);
  });

  test('takes names and limits from the configuration and prints one JSON object', async () => {
    const { code, output } = await runCli(['aws', 'provision', '--json'], {
      ...environment,
      FAIRLINE_TABLE: 'Spring.Sale',
      FAIRLINE_QUEUE: 'spring-main',
      FAIRLINE_DLQ: 'spring-dead',
      FAIRLINE_VISIBILITY_SECONDS: '77',
      FAIRLINE_RECEIVES_MAX: '9',
    });
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      region: 'ap-northeast-2',
      dryRun: false,
      changeCount: 5,
      steps: expect.arrayContaining([
        { resource: 'table Spring.Sale', outcome: 'created' },
        expect.objectContaining({ resource: 'queue spring-dead', outcome: 'created' }),
      ]),
    });
    expect(await everything()).toContainEqual(
      expect.objectContaining({
        VisibilityTimeout: '77',
        RedrivePolicy: expect.stringMatching(/:spring-dead".*:9\}/),
      }),
    );
  });

  test('refuses a table of another shape, shows the difference and creates nothing', async () => {
    await clients.dynamo.send(
      new CreateTableCommand({
        TableName: 'AsyncEventTable',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );
    const before = await everything();
    const { code, output } = await runCli(['aws', 'provision'], environment);
    expect(code).toBe(1);
    expect(output).toContain('key is id (HASH, S); it must be PK (HASH, S), SK (RANGE, S)');
    expect(output).toMatch(/Nothing was changed\. .*FAIRLINE_TABLE/);
    expect(await everything()).toEqual(before);
  });

  test('refuses a queue with another redrive policy, shows the difference and creates nothing', async () => {
    await runCli(['aws', 'provision'], environment);
    const before = await everything();
    const { code, output } = await runCli(['aws', 'provision'], {
      ...environment,
      FAIRLINE_TABLE: 'Another',
      FAIRLINE_RECEIVES_MAX: '9',
    });
    expect(code).toBe(1);
    expect(output).toMatch(
      /queue fairline-main: RedrivePolicy is 5 receives, then \S+; it must be 9 receives, then/,
    );
    expect(output).toMatch(/Nothing was changed\. .*FAIRLINE_RECEIVES_MAX/);
    expect(await everything()).toEqual(before);
  });

  test.each([
    ['no credentials', { AWS_ACCESS_KEY_ID: '' }, /^There are no AWS credentials\. .*AWS_PROFILE/],
    ['no region', { AWS_REGION: '' }, /^No AWS region is set\. Set AWS_REGION/],
    [
      'an endpoint that nobody listens on',
      { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' },
      /^DynamoDB could not be reached .*AWS_ENDPOINT_URL_DYNAMODB/,
    ],
    [
      'an endpoint that is no address',
      { AWS_ENDPOINT_URL_SQS: 'nowhere' },
      /^An AWS endpoint is not a URL\./,
    ],
  ])('%s: says in one line what is wrong and exits with 1', async (_name, wrong, message) => {
    const { code, output } = await runCli(['aws', 'provision'], {
      ...environment,
      ...isolated,
      ...wrong,
    });
    expect(code).toBe(1);
    const [line = '', ...more] = output.split('\n');
    expect(line.replace('fairline: ', '')).toMatch(message);
    expect(more).toEqual(['']);
    expect(await everything()).toEqual([]);
  });

  test.each([
    [['aws', 'provision', '--fast'], {}, /--fast/],
    [['aws', 'fly'], {}, /fly/],
    [['aws'], {}, /provision/],
    [['aws', 'provision'], { FAIRLINE_TABLE: 'no spaces' }, /FAIRLINE_TABLE: must match/],
    [['aws', 'provision'], { FAIRLINE_QUEUE: 'main.fifo' }, /FAIRLINE_QUEUE: must match/],
    [['aws', 'provision'], { FAIRLINE_DLQ: 'fairline-main' }, /FAIRLINE_DLQ: must differ/],
  ])('%j with %j exits with 2 and names what is wrong', async (args, wrong, message) => {
    const { code, output } = await runCli(args, { ...environment, ...wrong });
    expect(code).toBe(2);
    expect(output).toMatch(message);
  });

  test('is the only command that loads the AWS SDK', async () => {
    const forbidden = { ...environment, NODE_OPTIONS: `--import=${refusingAwsSdk}` };
    expect((await runCli(['--help'], forbidden)).code).toBe(0);
    const serving = { ...forbidden, FAIRLINE_DATA_DIR: scratchDirectory() };
    const server = await spawnServer(serving);
    expect(await server.end('SIGTERM')).toBe(0);
    expect((await runCli(['aws', 'provision'], forbidden)).output).toContain('refused @aws-sdk/');
  });

  /** Every table and queue there is, in full. */
  async function everything(): Promise<(object | undefined)[]> {
    const { TableNames = [] } = await clients.dynamo.send(new ListTablesCommand({}));
    const { QueueUrls = [] } = await clients.sqs.send(new ListQueuesCommand({}));
    const tables = TableNames.map(async (TableName) => {
      return (await clients.dynamo.send(new DescribeTableCommand({ TableName }))).Table;
    });
    const queues = QueueUrls.map(async (QueueUrl) => {
      const all = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
      return (await clients.sqs.send(all)).Attributes;
    });
    return Promise.all([...tables, ...queues]);
  }
});

/** No credentials or region of whoever runs the tests. */
const isolated = {
  AWS_CONFIG_FILE: '/nonexistent/config',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent/credentials',
  AWS_EC2_METADATA_DISABLED: 'true',
};

const refusingAwsSdk = moduleOf(
  `import { register } from 'node:module'; register('${moduleOf(
    `export async function resolve(name, context, next) {
       if (name.startsWith('@aws-sdk/')) throw new Error('refused ' + name);
       return next(name, context);
     }`,
  )}');`,
);

function moduleOf(source: string): string {
  return `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
}
