import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { type AwsWorld, createAwsWorld } from '../support/aws/aws-world.ts';
import { type ChildServer, spawnServer } from '../support/child-server.ts';
import { until as untilTrue } from '../support/manual-timers.ts';
import {
  allRequests,
  createEvent,
  expectSummaryEqualsRecount,
  isDone,
  participate,
  type RequestBody,
  summaryOf,
  until,
  untilSettled,
} from '../support/participation.ts';

describe('on DynamoDB and SQS', () => {
  test('50 presses of one user are one request', async () => {
    const world = await createAwsWorld();
    const server = await spawnServer(world.variables());
    await createEvent(server.operator, 'once', 5);
    const user = server.user('kim');
    const presses = Array.from({ length: 50 }, () => participate(user, 'once'));
    expect(new Set(await Promise.all(presses)).size).toBe(1);
    const summary = await untilSettled(server.operator, 'once');
    expect(summary.byStatus).toMatchObject({ SUCCEEDED: 1, REJECTED: 0, QUEUED: 0 });
  }, 60_000);

  test('API and worker killed again and again: every answered request ends, exactly N win', async () => {
    const world = await createAwsWorld({
      FAIRLINE_VISIBILITY_SECONDS: '5',
      FAIRLINE_SETTLE_HOLD_MS: '100',
    });
    const spawn = (roles: string) => spawnServer(world.variables({ FAIRLINE_ROLES: roles }));
    let api = await spawn('api');
    await createEvent(api.operator, 'rough', 40);
    const answered = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const worker = await spawn('worker');
      const presses = pressUntilKilled(api, `round-${round}`, answered);
      await untilTrue(() => answered.size >= (round + 1) * 40);
      await Promise.all([api.end('SIGKILL'), worker.end('SIGKILL')]);
      await presses;
      api = await spawn('api');
    }
    await spawn('worker');

    const summary = await until(
      () => summaryOf(api.operator, 'rough'),
      ({ byStatus }) => byStatus.QUEUED + byStatus.PROCESSING === 0,
    );
    const requests = await allRequests(api.operator, 'rough');
    expect(summary.byStatus.SUCCEEDED).toBe(40);
    const ended = new Map(requests.map((request) => [request.requestId, request.status]));
    for (const requestId of answered) {
      expect(['SUCCEEDED', 'REJECTED']).toContain(ended.get(requestId));
    }
    expectSummaryEqualsRecount(summary, requests);
  }, 240_000);

  test('a message that keeps failing becomes a dead letter, and a redrive keeps its place', async () => {
    const world = await createAwsWorld({
      FAIRLINE_VISIBILITY_SECONDS: '1',
      FAIRLINE_RECEIVES_MAX: '3',
      FAIRLINE_SETTLE_HOLD_MS: '0',
    });
    const server = await spawnServer(world.variables());
    await createEvent(server.operator, 'failing', 5);
    const fault = { eventId: 'failing', kind: 'retryable', count: 3 };
    await server.operator.post('/debug/faults', fault);
    const requestId = await participate(server.user('kim'), 'failing');
    const read = async () =>
      (await server.operator.get<RequestBody>(`/admin/requests/${requestId}`)).body;
    const { items } = await until(
      async () => (await server.operator.get<DeadLetterPage>('/admin/dlq')).body,
      (page) => page.items.length > 0,
    );
    const failed = await read();
    expect(failed).toMatchObject({ status: 'FAILED_FINAL', errorCode: 'FAULT_SWITCH_RETRYABLE' });
    expect(items).toMatchObject([{ requestId, userId: 'kim' }]);

    const messageIds = items.map(({ messageId }) => messageId);
    const redriven = await server.operator.post('/admin/dlq/redrive', { messageIds });
    expect(redriven.body).toMatchObject({ items: [{ outcome: 'redriven' }] });
    const ended = await until(read, isDone);
    expect(ended).toMatchObject({ status: 'SUCCEEDED', queuedAt: failed.queuedAt });
    expect((await summaryOf(server.operator, 'failing')).deadLetters).toBe(0);
    expect(await entityTypesWithIndexKeys(world)).toEqual(['REQUEST']);
  }, 60_000);
});

/** Index keys belong to requests alone: anything else would appear in people's lists. */
async function entityTypesWithIndexKeys(world: AwsWorld): Promise<unknown[]> {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const endpoint = world.dynamo.url;
  const client = new DynamoDBClient({ endpoint, credentials, region: 'ap-northeast-2' });
  const scan = new ScanCommand({ TableName: 'AsyncEventTable' });
  const { Items = [] } = await DynamoDBDocumentClient.from(client).send(scan);
  client.destroy();
  expect(Items.length).toBeGreaterThan(5);
  const indexed = Items.filter((item) => Object.keys(item).some((name) => /^GSI/.test(name)));
  return [...new Set(indexed.map((item) => item['entityType']))];
}

interface DeadLetterPage {
  readonly items: readonly { readonly messageId: string }[];
}

/** New users press one after the other on ten connections; a lost connection promises nothing. */
async function pressUntilKilled(
  api: ChildServer,
  name: string,
  answered: Set<string>,
): Promise<void> {
  const press = async (line: number): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      const user = api.user(`${name}-${line}-${turn}`);
      const answer = await user.post('/events/rough/participations').catch(() => undefined);
      if (answer === undefined) return;
      if (answer.status === 202) answered.add(String(answer.body['requestId']));
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, line) => press(line)));
}
