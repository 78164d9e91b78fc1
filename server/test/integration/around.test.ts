import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { Fault } from '../../src/domain/errors.ts';
import { createApp } from '../../src/http/app.ts';
import { type Health, healthRoutes } from '../../src/http/routes/health.ts';
import { callerOf, type Json } from '../support/api-client.ts';
import {
  createEvent,
  participate,
  type RequestBody,
  untilSettled,
} from '../support/participation.ts';
import { scratchDirectory, silentLogger, startServer } from '../support/test-server.ts';

describe('lists', () => {
  test('my participations are mine, newest first, page by page', async () => {
    const server = await startServer();
    const ids: string[] = [];
    for (const eventId of ['one', 'two', 'three']) {
      await createEvent(server.operator, eventId, 5);
      ids.push(await participate(server.user('kim'), eventId));
      await participate(server.user('kimchi'), eventId);
    }
    type List = { items: RequestBody[]; nextCursor: string | null };
    const first = (await server.user('kim').get<List>('/me/participations?limit=2')).body;
    const rest = (
      await server.user('kim').get<List>(`/me/participations?limit=2&cursor=${first.nextCursor}`)
    ).body;
    expect([...first.items, ...rest.items].map(({ requestId }) => requestId)).toEqual(
      ids.reverse(),
    );
    expect(rest.nextCursor).toBeNull();
  });

  test('an event’s requests can be filtered, and a filtered list pages on', async () => {
    const server = await startServer();
    await createEvent(server.operator, 'mixed', 3, { indexShards: 4 });
    for (let index = 0; index < 8; index += 1) await participate(server.user(`u${index}`), 'mixed');
    await untilSettled(server.operator, 'mixed');
    type List = { items: RequestBody[]; nextCursor: string | null };
    const list = async (query: string) =>
      (await server.operator.get<List>(`/admin/events/mixed/requests?${query}`)).body;
    const users = ({ items }: List) => items.map(({ userId }) => userId);

    expect(users(await list('status=SUCCEEDED'))).toEqual(['u2', 'u1', 'u0']);
    const rejected = await list('resultCode=REJECTED_CAPACITY&order=asc&limit=3');
    expect(users(rejected)).toEqual(['u3', 'u4', 'u5']);
    const next = await list(
      `resultCode=REJECTED_CAPACITY&order=asc&limit=3&cursor=${rejected.nextCursor}`,
    );
    expect(users(next)).toEqual(['u6', 'u7']);
    expect(next.nextCursor).toBeNull();
    expect((await list('queued=false')).items).toEqual([]);
  });
});

describe('settings', () => {
  test('FAIRLINE_STATUS_LOG=all writes every transition, and the timeline shows each once', async () => {
    const server = await startServer({ FAIRLINE_STATUS_LOG: 'all' });
    const requestId = await participate(server.user('kim'), 'demo-first-come');
    await untilSettled(server.operator, 'demo-first-come');
    const { items } = (
      await server.operator.get<{ items: Json[] }>(`/admin/requests/${requestId}/logs`)
    ).body;
    expect(items.map(({ toStatus }) => toStatus)).toEqual([
      'RECEIVED',
      'QUEUED',
      'PROCESSING',
      'SUCCEEDED',
    ]);
  });

  test('FAIRLINE_DURABILITY=commit answers after the commit and keeps what it answered', async () => {
    const directory = scratchDirectory();
    const environment = { FAIRLINE_DATA_DIR: directory, FAIRLINE_DURABILITY: 'commit' };
    const first = await startServer(environment);
    const requestId = await participate(first.user('kim'), 'demo-first-come');
    await first.stop();
    const second = await startServer({ FAIRLINE_DATA_DIR: directory });
    const again = await second.user('kim').post('/events/demo-first-come/participations');
    expect(again.body).toEqual({ requestId, isDuplicate: true });
  });
});

describe('around it', () => {
  test('a waiting request says when to look again, a done one does not', async () => {
    const server = await startServer({ FAIRLINE_ROLES: 'api' });
    const waiting = await participate(server.user('kim'), 'demo-first-come');
    const answer = await server.user('kim').get(`/requests/${waiting}`);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.body).toMatchObject({ position: 0, uiResult: 'PENDING', uiPhase: null });
    await server.stop();
  });

  test('the answer to a press says where to look', async () => {
    const server = await startServer();
    const answer = await server.user('kim').post('/events/demo-first-come/participations');
    expect(answer.headers.get('location')).toBe(`/requests/${answer.body['requestId']}`);
    await untilSettled(server.operator, 'demo-first-come');
    const done = await server.user('kim').get(`/requests/${answer.body['requestId']}`);
    expect(done.headers.get('retry-after')).toBeNull();
    expect(done.body['e2eDelayMs']).toEqual(expect.any(Number));
  });

  test('metrics tell depth, age, flight, dead letters, results, delays and lag', async () => {
    const server = await startServer();
    await participate(server.user('kim'), 'demo-first-come');
    await untilSettled(server.operator, 'demo-first-come');
    const { text } = (await server.operator.get<{ text: string }>('/metrics')).body;
    for (const line of [
      'fairline_accepted_total 1',
      'fairline_results_total{code="SUCCESS"} 1',
      'fairline_queue_depth 0',
      'fairline_queue_in_flight 0',
      'fairline_queue_oldest_age_seconds 0',
      'fairline_dead_letters 0',
      'fairline_queue_delay_seconds_count 1',
      'fairline_e2e_delay_seconds_count 1',
      'fairline_event_loop_lag_seconds ',
    ]) {
      expect(text).toContain(line);
    }
  });

  test('metrics move to their own port when one is set', async () => {
    const port = 20_000 + (process.pid % 20_000);
    const server = await startServer({ FAIRLINE_METRICS_PORT: String(port) });
    expect((await server.operator.get('/metrics')).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
  });

  test('too many calls of one user are told when to come back; operators are exempt', async () => {
    const server = await startServer({ FAIRLINE_RATE_USER_MAX: '5' });
    const statuses: number[] = [];
    for (let call = 0; call < 12; call += 1) {
      const answer = await server.user('kim').get('/me/participations');
      statuses.push(answer.status);
      if (answer.status === 429) {
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
    }
    expect(statuses).toContain(429);
    expect((await server.user('lee').get('/me/participations')).status).toBe(200);
    for (let call = 0; call < 12; call += 1) {
      expect((await server.operator.get('/me/participations')).status).toBe(200);
    }
  });

  test('answers carry security headers and a trace id', async () => {
    const server = await startServer();
    const caller = callerOf(server.address, { 'x-request-id': 'trace-1' });
    const { headers } = await caller.get('/events');
    expect(headers.get('x-request-id')).toBe('trace-1');
    const problem = await callerOf(server.address, {}).get('/nope');
    expect(problem.headers.get('x-request-id')).toMatch(/^[0-9a-z]+$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('the document, its page and the landing page are served', async () => {
    const server = await startServer();
    const document = await callerOf(server.address, {}).get('/openapi.json');
    expect(Object.keys(document.body['paths'] as Json)).toContain(
      '/events/{eventId}/participations',
    );
    for (const path of ['/docs', '/', '/assets/landing.css']) {
      expect((await fetch(server.address + path)).status).toBe(200);
    }
  });

  test('another site may call only if it is listed', async () => {
    const origin = 'https://shop.example';
    const server = await startServer({ FAIRLINE_CORS_ORIGINS: origin });
    const allowed = async (from: string) =>
      (await callerOf(server.address, { origin: from }).get('/events')).headers.get(
        'access-control-allow-origin',
      );
    expect(await allowed(origin)).toBe(origin);
    expect(await allowed('https://evil.example')).toBeNull();
  });

  test('a serving process is alive and ready', async () => {
    const server = await startServer();
    expect((await server.operator.get('/healthz')).body).toEqual({ status: 'ok' });
    expect((await server.operator.get('/readyz')).status).toBe(200);
  });

  test('readiness is over as soon as the process is stopping, or its store does not answer', async () => {
    const readiness = async (health: Health) => {
      const options = { clock: systemClock, trustedProxies: 0, corsOrigins: [], isSecure: false };
      const routes = [healthRoutes(health)];
      const app = await createApp({ ...options, logger: silentLogger, routes });
      return (await app.inject('/readyz')).statusCode;
    };
    const fine = async () => {};
    const broken = async () => {
      throw new Fault('UNAVAILABLE', 'The disk is full.', { retryable: true });
    };
    expect(await readiness({ isStopping: () => false, check: fine })).toBe(200);
    expect(await readiness({ isStopping: () => true, check: fine })).toBe(503);
    expect(await readiness({ isStopping: () => false, check: broken })).toBe(503);
  });
});
