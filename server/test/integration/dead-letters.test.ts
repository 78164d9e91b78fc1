import { describe, expect, test } from 'vitest';
import type { Answer, Json } from '../support/api-client.ts';
import {
  allRequests,
  createEvent,
  expectSummaryEqualsRecount,
  participate,
  type RequestBody,
  summaryOf,
  until,
  untilSettled,
} from '../support/participation.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

interface DeadLetters {
  readonly items: { messageId: string; requestId: string; userId: string; errorCode: string }[];
  readonly nextCursor: string | null;
}

describe('failing messages', () => {
  test('that keep failing retryably reach the dead letters, and a redrive keeps queuedAt', async () => {
    const server = await startServer({ FAIRLINE_RECEIVES_MAX: '2' });
    await createEvent(server.operator, 'flaky', 2);
    const requestId = await failAll(server, 'flaky', ['ann'], 'retryable').then(([id]) => id);
    const failed = await requestOf(server, requestId);
    expect(failed).toMatchObject({ status: 'FAILED_FINAL', resultCode: 'FAILED_WORKER' });
    const { items } = (await server.operator.get<DeadLetters>('/admin/dlq?eventId=flaky')).body;
    expect(items).toMatchObject([{ requestId, userId: 'ann' }]);
    expect((await server.operator.get<DeadLetters>('/admin/dlq?userId=bob')).body.items).toEqual(
      [],
    );

    await disarm(server, 'flaky');
    const messageIds = items.map(({ messageId }) => messageId);
    const tried = await redrive(server, { messageIds, dryRun: true });
    expect(tried.body['items']).toMatchObject([{ outcome: 'would-redrive', isSoldOut: false }]);
    expect((await requestOf(server, requestId)).status).toBe('FAILED_FINAL');

    const done = await redrive(server, { messageIds });
    expect(done.body['items']).toMatchObject([{ outcome: 'redriven' }]);
    const summary = await untilSettled(server.operator, 'flaky');
    const after = await requestOf(server, requestId);
    expect(after).toMatchObject({
      status: 'SUCCEEDED',
      queuedAt: failed.queuedAt,
      errorCode: null,
    });
    expect(summary.deadLetters).toBe(0);
    expectSummaryEqualsRecount(summary, await allRequests(server.operator, 'flaky'));
    expect((await redrive(server, { messageIds })).body['items']).toMatchObject([
      { outcome: 'not-found' },
    ]);
  });

  test('that cannot be mended never become dead letters', async () => {
    const server = await startServer();
    await createEvent(server.operator, 'broken', 2);
    const ids = await failAll(server, 'broken', ['ann', 'bob'], 'nonretryable');
    const summary = await untilSettled(server.operator, 'broken');
    expect(summary).toMatchObject({ deadLetters: 0, byStatus: { FAILED_FINAL: 2 } });
    expect((await server.operator.get<DeadLetters>('/admin/dlq')).body.items).toEqual([]);
    expect(await requestOf(server, ids[0])).toMatchObject({
      failureClass: 'NON_RETRYABLE',
      errorCode: 'FAULT_SWITCH_NON_RETRYABLE',
    });
    const mine = await server.user('ann').get(`/requests/${ids[0]}`);
    expect(mine.body).not.toHaveProperty('errorCode');
    expect(mine.body).toMatchObject({ uiResult: 'FAILED', step: 'DONE' });
  });

  test('hold their event’s lane, so that nobody is overtaken', async () => {
    const server = await startServer();
    await createEvent(server.operator, 'lane', 1);
    await server.operator.post('/debug/faults', { eventId: 'lane', kind: 'retryable', count: 3 });
    await participate(server.user('first'), 'lane');
    await participate(server.user('second'), 'lane');
    const summary = await untilSettled(server.operator, 'lane');
    const requests = await allRequests(server.operator, 'lane');
    expect(requests.map(({ userId, status }) => [userId, status])).toEqual([
      ['first', 'SUCCEEDED'],
      ['second', 'REJECTED'],
    ]);
    expect(summary.inversions).toBe(0);
    const first = requests.find(({ userId }) => userId === 'first');
    const log = await server.operator.get<{ items: Json[] }>(
      `/admin/requests/${first?.requestId}/logs`,
    );
    expect(log.body.items.map(({ toStatus }) => toStatus)).toEqual(
      expect.arrayContaining(['RECEIVED', 'QUEUED', 'PROCESSING', 'SUCCEEDED']),
    );
    expect(log.body.items.some(({ message }) => /Attempt 1 failed/.test(String(message)))).toBe(
      true,
    );
  });

  test('redriven after the event sold out are displaced, and the dry run says so', async () => {
    const server = await startServer({ FAIRLINE_RECEIVES_MAX: '1' });
    await createEvent(server.operator, 'late', 1);
    const [requestId] = await failAll(server, 'late', ['unlucky'], 'retryable');
    await disarm(server, 'late');
    await participate(server.user('winner'), 'late');
    await participate(server.user('loser'), 'late');
    await untilSettled(server.operator, 'late');

    const tried = await redrive(server, { filter: { eventId: 'late' }, dryRun: true });
    expect(tried.body['items']).toMatchObject([{ requestId, isSoldOut: true }]);
    await redrive(server, { filter: { eventId: 'late' } });
    const summary = await untilSettled(server.operator, 'late');
    expect(summary).toMatchObject({ displaced: 1, inversions: 0, byResultCode: { SUCCESS: 1 } });
    expect((await requestOf(server, requestId)).resultCode).toBe('REJECTED_CAPACITY');
  });

  test('can be deleted or queued again one by one, and all of it is audited', async () => {
    const server = await startServer({ FAIRLINE_RECEIVES_MAX: '1' });
    await createEvent(server.operator, 'care', 5);
    const [kept, dropped] = await failAll(server, 'care', ['ann', 'bob'], 'retryable');
    await disarm(server, 'care');
    expect((await server.operator.delete(`/admin/dlq/${dropped}`)).status).toBe(204);
    expect((await server.operator.delete(`/admin/dlq/${dropped}`)).status).toBe(404);
    expect((await server.operator.post(`/admin/requests/${kept}/requeue`)).status).toBe(202);
    const summary = await untilSettled(server.operator, 'care');
    expect(summary).toMatchObject({ deadLetters: 0, byStatus: { SUCCEEDED: 1, FAILED_FINAL: 1 } });
    const again = await server.operator.post(`/admin/requests/${kept}/requeue`);
    expect(again.body['code']).toBe('NOT_REQUEUEABLE');

    const audit = await server.operator.get<{ items: Json[] }>('/admin/audit');
    expect(audit.body.items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['event.create', 'dlq.delete', 'request.requeue']),
    );
    expect(audit.body.items.find(({ action }) => action === 'dlq.delete')).toMatchObject({
      operator: 'operator',
      target: dropped,
    });
  });
});

async function failAll(
  server: TestServer,
  eventId: string,
  users: readonly string[],
  kind: 'retryable' | 'nonretryable',
): Promise<string[]> {
  await server.operator.post('/debug/faults', { eventId, kind, count: 1_000_000 });
  const ids = await Promise.all(users.map((user) => participate(server.user(user), eventId)));
  const isRetryable = kind === 'retryable';
  await until(
    () => summaryOf(server.operator, eventId),
    ({ byStatus, deadLetters }) =>
      byStatus.FAILED_FINAL === users.length && deadLetters === (isRetryable ? users.length : 0),
  );
  return ids;
}

function disarm(server: TestServer, eventId: string): Promise<Answer> {
  return server.operator.post('/debug/faults', { eventId, kind: 'retryable', count: 0 });
}

function redrive(server: TestServer, body: Json): Promise<Answer> {
  return server.operator.post('/admin/dlq/redrive', body);
}

async function requestOf(server: TestServer, requestId: string | undefined): Promise<RequestBody> {
  return (await server.operator.get<RequestBody>(`/admin/requests/${requestId}`)).body;
}
