import { Agent, request as send } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type ChildServer, spawnServer } from '../support/child-server.ts';
import { openEventSource } from '../support/event-source.ts';
import { createEvent, participate, type RequestBody, until } from '../support/participation.ts';
import { scratchDirectory } from '../support/test-server.ts';

describe('behind gates', () => {
  test('every call has the answer that it has without them', async () => {
    const server = await startWithGates();
    const kim = server.user('kim');
    await createEvent(server.operator, 'gated', 1);
    const requestId = await participate(kim, 'gated');
    expect(await participate(kim, 'gated')).toBe(requestId);
    const { body } = await until(
      () => kim.get<RequestBody>(`/requests/${requestId}`),
      (answer) => answer.body.step === 'DONE',
    );
    expect(body).toMatchObject({ requestId, status: 'SUCCEEDED', position: null });
    expect((await server.user('lee').get(`/requests/${requestId}`)).status).toBe(404);
    expect((await server.operator.get(`/requests/${requestId}`)).status).toBe(200);
    expect((await kim.get('/events/gated/participations/me')).body).toEqual(body);
    expect((await kim.get('/events/gated')).body).toMatchObject({ eventId: 'gated' });
    expect((await kim.post('/events/none/participations')).body).toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
    expect((await kim.post('/events/gated/participations', { userId: 'lee' })).body).toMatchObject({
      code: 'USER_ID_NOT_ACCEPTED',
    });
    expect((await kim.get('/nothing')).body).toMatchObject({ code: 'NOT_FOUND' });
    const wrongMethod = await kim.delete(`/requests/${requestId}`);
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get('allow')).toBe('GET, HEAD');
    const tooLarge = { title: 'x'.repeat(20_000) };
    expect((await server.operator.post('/admin/events', tooLarge)).status).toBe(413);
    expect((await kim.post('/events/gated/participations', tooLarge)).status).toBe(413);
    expect((await kim.get('/docs')).status).toBe(200);
    expect((await kim.get<{ text: string }>('/metrics')).body.text).toContain(
      'fairline_accepted_total 1',
    );
  });

  test('whoever waits learns the place in line, and the stream ends with the result', async () => {
    const dataDirectory = scratchDirectory();
    const door = await startWithGates({ FAIRLINE_DATA_DIR: dataDirectory, FAIRLINE_ROLES: 'api' });
    await createEvent(door.operator, 'waiting', 1);
    await participate(door.user('kim'), 'waiting');
    const requestId = await participate(door.user('lee'), 'waiting');
    const waiting = await door.user('lee').get<RequestBody>(`/requests/${requestId}`);
    expect(waiting.body).toMatchObject({ status: 'QUEUED', position: 1 });
    expect(waiting.headers.get('retry-after')).toBe('1');
    await door.end('SIGTERM');

    const server = await startWithGates({ FAIRLINE_DATA_DIR: dataDirectory });
    const stream = await openEventSource(`${server.address}/requests/${requestId}/stream`, {
      'x-debug-user-id': 'lee',
    });
    expect((await stream.rest()).at(-1)?.data).toMatchObject({ resultCode: 'REJECTED_CAPACITY' });
  });

  test('a user’s calls are limited over all gates together', async () => {
    const server = await startWithGates({ FAIRLINE_RATE_USER_MAX: '10' });
    await untilWindowIsFresh();
    const statuses = await Promise.all(
      Array.from({ length: 40 }, () => getOnOwnConnection(server, '/me/participations', {})),
    );
    const more = await Promise.all(
      Array.from({ length: 10 }, () =>
        getOnOwnConnection(server, '/requests/019ca6b1-dc00-7000-8000-000000000000', {}),
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(more).toEqual(more.map(() => 429));
  });

  test('the address that counts is the caller’s own, and nobody can claim another', async () => {
    const server = await startWithGates({ FAIRLINE_RATE_ADDRESS_MAX: '3' });
    const claims = ['10.0.0.1', 'x 10.0.0.2', '', '10.0.0.4'];
    const statuses: number[] = [];
    await untilWindowIsFresh();
    for (const claim of claims) {
      const headers = { 'x-fairline-gate': claim, 'x-debug-user-id': `user-${claim.length}` };
      statuses.push(await getOnOwnConnection(server, '/me/participations', headers));
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('what is under way at the stop is answered, and kept', async () => {
    const dataDirectory = scratchDirectory();
    const server = await startWithGates({ FAIRLINE_DATA_DIR: dataDirectory });
    const presses = Array.from({ length: 300 }, (_, index) =>
      server.user(`user-${index}`).post('/events/demo-first-come/participations'),
    );
    await presses[0];
    const [code, ...answers] = await Promise.all([server.end('SIGTERM'), ...presses.map(settled)]);
    expect(code).toBe(0);
    const accepted = answers.filter((answer) => answer?.status === 202);
    expect(accepted.length).toBeGreaterThan(0);
    for (const answer of answers) expect([202, 503, undefined]).toContain(answer?.status);

    const next = await startWithGates({ FAIRLINE_DATA_DIR: dataDirectory });
    for (const answer of accepted) {
      const path = `/requests/${answer?.body['requestId']}`;
      expect((await next.operator.get(path)).status).toBe(200);
    }
  });
});

function startWithGates(environment: Record<string, string> = {}): Promise<ChildServer> {
  return spawnServer({
    FAIRLINE_DATA_DIR: environment['FAIRLINE_DATA_DIR'] ?? scratchDirectory(),
    FAIRLINE_GATE_THREADS: '2',
    ...environment,
  });
}

/** Calls are counted in windows of ten seconds of the clock: none must end in between. */
async function untilWindowIsFresh(): Promise<void> {
  await until(
    () => new Promise<number>((looked) => setTimeout(() => looked(Date.now() % 10_000), 20)),
    (passedMs) => passedMs < 5000,
  );
}

/** A connection that is refused or cut while the server ends has no answer, and promises nothing. */
async function settled<Answer>(press: Promise<Answer>): Promise<Answer | undefined> {
  return press.catch(() => undefined);
}

function getOnOwnConnection(
  { address }: ChildServer,
  path: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((answered, failed) => {
    const agent = new Agent({ keepAlive: false });
    const call = send(new URL(path, address), {
      agent,
      headers: { 'x-debug-user-id': 'kim', ...headers },
    });
    call.on('response', (response) => {
      response.resume();
      answered(response.statusCode ?? 0);
    });
    call.on('error', failed);
    call.end();
  });
}
