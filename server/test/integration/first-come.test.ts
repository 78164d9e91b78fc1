import { describe, expect, test } from 'vitest';
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
import { scratchDirectory, startServer } from '../support/test-server.ts';

describe('a first-come event', () => {
  test('of 1,000 who press at once exactly 100 win, in the order of the queue', async () => {
    const server = await startServer({
      FAIRLINE_WORKER_CONCURRENCY: '8',
      FAIRLINE_WORKER_BATCH: '10',
    });
    await createEvent(server.operator, 'rush', 100);

    const ids = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => participate(server.user(`user-${index}`), 'rush')),
    );
    const summary = await untilSettled(server.operator, 'rush');
    const requests = await allRequests(server.operator, 'rush');

    expect(new Set(ids).size).toBe(1000);
    expect(requests).toHaveLength(1000);
    expect(summary.byResultCode).toMatchObject({ SUCCESS: 100, REJECTED_CAPACITY: 900 });
    expect(summary).toMatchObject({ inversions: 0, capacityRemaining: 0 });
    expect(requests.slice(0, 100).every(({ status }) => status === 'SUCCEEDED')).toBe(true);
    expect(requests.slice(100).every(({ status }) => status === 'REJECTED')).toBe(true);
    expectSummaryEqualsRecount(summary, requests);
  });

  test('50 presses of one person at once are one entry', async () => {
    const server = await startServer();
    await createEvent(server.operator, 'eager', 10);
    const user = server.user('eager-person');

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => user.post('/events/eager/participations')),
    );

    expect(new Set(answers.map(({ body }) => body['requestId'])).size).toBe(1);
    expect(answers.filter(({ body }) => body['isDuplicate'] === false)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 202)).toBe(true);
    await untilSettled(server.operator, 'eager');
    expect(await allRequests(server.operator, 'eager')).toHaveLength(1);
  });

  test('while no worker runs people queue up, and when one starts everybody gets an end', async () => {
    const directory = scratchDirectory();
    const door = await startServer({ FAIRLINE_DATA_DIR: directory, FAIRLINE_ROLES: 'api' });
    await createEvent(door.operator, 'backlog', 30);
    for (let index = 0; index < 40; index += 1) {
      await participate(door.user(`user-${index}`), 'backlog');
    }
    expect((await summaryOf(door.operator, 'backlog')).byStatus.QUEUED).toBe(40);
    const metrics = await door.operator.get<{ text: string }>('/metrics');
    expect(metrics.body.text).toContain('fairline_queue_depth 40');
    const last = await door.user('user-39').get<RequestBody>('/events/backlog/participations/me');
    expect(last.body).toMatchObject({ status: 'QUEUED', step: 'QUEUED', position: 39 });
    await door.stop();

    const whole = await startServer({ FAIRLINE_DATA_DIR: directory });
    const summary = await untilSettled(whole.operator, 'backlog');
    expect(summary.byResultCode).toMatchObject({ SUCCESS: 30, REJECTED_CAPACITY: 10 });
  });

  test('the summary equals a recount from the list, before and after a restart', async () => {
    const directory = scratchDirectory();
    const first = await startServer({ FAIRLINE_DATA_DIR: directory });
    await createEvent(first.operator, 'sharded', 25, { indexShards: 8 });
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        participate(first.user(`user-${index}`), 'sharded'),
      ),
    );
    const before = await untilSettled(first.operator, 'sharded');
    const listed = await allRequests(first.operator, 'sharded');
    expectSummaryEqualsRecount(before, listed);
    await first.stop();

    const second = await startServer({ FAIRLINE_DATA_DIR: directory });
    expect(await summaryOf(second.operator, 'sharded')).toEqual(before);
    expect(await allRequests(second.operator, 'sharded')).toEqual(listed);
  });

  test('who takes part already is told so before the opening and after the end', async () => {
    const server = await startServer();
    await createEvent(server.operator, 'ending', 10);
    const requestId = await participate(server.user('early'), 'ending');
    await server.operator.patch('/admin/events/ending', { status: 'CLOSED' });

    const again = await server.user('early').post('/events/ending/participations');
    const late = await server.user('late').post('/events/ending/participations');

    expect(again.status).toBe(202);
    expect(again.body).toEqual({ requestId, isDuplicate: true });
    expect(late.status).toBe(409);
    expect(late.body['code']).toBe('EVENT_CLOSED');
  });

  test('an early click costs nobody their place', async () => {
    const server = await startServer();
    const opensAt = Date.now() + 60_000;
    await createEvent(server.operator, 'soon', 10, { opensAt });
    const user = server.user('early');
    expect((await user.post('/events/soon/participations')).body['code']).toBe('EVENT_NOT_OPEN');

    await server.operator.patch('/admin/events/soon', { opensAt: Date.now() - 1 });
    const answer = await user.post('/events/soon/participations');
    expect(answer.body['isDuplicate']).toBe(false);
  });

  test('capacity can be raised until the event is sold out, and then no more', async () => {
    const server = await startServer();
    await createEvent(server.operator, 'growing', 2);
    await participate(server.user('a'), 'growing');
    await untilSettled(server.operator, 'growing');
    const raised = await server.operator.patch('/admin/events/growing', { capacityTotal: 3 });
    expect(raised.body).toMatchObject({ capacityTotal: 3, capacityRemaining: 2 });

    for (const name of ['b', 'c', 'd']) await participate(server.user(name), 'growing');
    const summary = await untilSettled(server.operator, 'growing');
    expect(summary.byResultCode).toMatchObject({ SUCCESS: 3, REJECTED_CAPACITY: 1 });
    const refused = await server.operator.patch('/admin/events/growing', { capacityTotal: 4 });
    expect(refused.status).toBe(409);
    expect(refused.body['code']).toBe('EVENT_SOLD_OUT');
  });

  test('a paused event takes nobody in and goes on settling', async () => {
    const server = await startServer();
    await createEvent(server.operator, 'paused', 5);
    await participate(server.user('a'), 'paused');
    await server.operator.patch('/admin/events/paused', { status: 'PAUSED' });
    expect((await server.user('b').post('/events/paused/participations')).body['code']).toBe(
      'EVENT_PAUSED',
    );
    const mine = await until(
      () => server.user('a').get<RequestBody>('/events/paused/participations/me'),
      ({ body }) => isDone(body),
    );
    expect(mine.body.status).toBe('SUCCEEDED');
    await server.operator.patch('/admin/events/paused', { status: 'OPEN' });
    await participate(server.user('b'), 'paused');
  });
});
