import { describe, expect, test } from 'vitest';
import { createEvent, participate } from '../support/participation.ts';
import { startServer } from '../support/test-server.ts';

const first = '/events/demo-first-come/participations';
const definition = { title: 'x', eventType: 'FIRST_COME', capacityTotal: 1 };
const day = 24 * 60 * 60 * 1000;

describe('bad input gets a clear answer', () => {
  test.each([
    ['an unknown event', 'POST', '/events/nope/participations', undefined, 404, 'EVENT_NOT_FOUND'],
    [
      'an event not open yet',
      'POST',
      '/events/demo-opening-soon/participations',
      undefined,
      409,
      'EVENT_NOT_OPEN',
    ],
    ['a body with anything in it', 'POST', first, { x: 1 }, 400, 'INVALID_REQUEST'],
    ['a body that is no object', 'POST', first, [1], 400, 'INVALID_REQUEST'],
    ['a body of 17 KB', 'POST', first, { x: 'x'.repeat(17_000) }, 413, 'PAYLOAD_TOO_LARGE'],
    [
      'an event id with #',
      'POST',
      '/events/a%23b/participations',
      undefined,
      400,
      'INVALID_REQUEST',
    ],
    [
      'an event id of absurd length',
      'GET',
      `/events/${'x'.repeat(500)}`,
      undefined,
      400,
      'INVALID_REQUEST',
    ],
    ['a request id that is none', 'GET', '/requests/abc', undefined, 400, 'INVALID_REQUEST'],
    [
      'an unknown request id',
      'GET',
      '/requests/01a1dd7c-3493-7000-8819-3c16dfe7e7c5',
      undefined,
      404,
      'REQUEST_NOT_FOUND',
    ],
    ['a limit of zero', 'GET', '/me/participations?limit=0', undefined, 400, 'INVALID_REQUEST'],
    ['a limit of 101', 'GET', '/me/participations?limit=101', undefined, 400, 'INVALID_REQUEST'],
    [
      'a limit that is no number',
      'GET',
      '/me/participations?limit=x',
      undefined,
      400,
      'INVALID_REQUEST',
    ],
    ['a cursor of nobody', 'GET', '/me/participations?cursor=x', undefined, 400, 'INVALID_CURSOR'],
    ['an unknown query', 'GET', '/me/participations?status=x', undefined, 400, 'INVALID_REQUEST'],
    ['an unknown route', 'GET', '/nope', undefined, 404, 'NOT_FOUND'],
    ['a wrong method', 'PUT', '/events', undefined, 405, 'METHOD_NOT_ALLOWED'],
  ])('%s', async (_name, method, path, body, status, code) => {
    const server = await startServer();
    const response = await fetch(server.address + path, {
      method,
      headers: {
        'x-debug-user-id': 'kim',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status, code });
    expect(response.status).toBe(status);
  });

  test.each([
    ['malformed JSON', 'application/json', '{', 400],
    ['an empty JSON body', 'application/json', '', 202],
    ['an empty object', 'application/json', '{}', 202],
    ['a form', 'application/x-www-form-urlencoded', 'a=b', 415],
    ['plain text', 'text/plain', 'hello', 415],
    ['a poisoned prototype', 'application/json', '{"__proto__": {"x": 1}}', 400],
  ])('%s', async (_name, contentType, body, status) => {
    const server = await startServer();
    const response = await fetch(server.address + first, {
      method: 'POST',
      headers: { 'x-debug-user-id': 'kim', 'content-type': contentType },
      body,
    });
    expect(response.status).toBe(status);
  });

  test.each([
    ['no title', { ...definition, title: undefined }],
    ['a blank title', { ...definition, title: '  ' }],
    ['no capacity', { ...definition, capacityTotal: 0 }],
    ['half a place', { ...definition, capacityTotal: 1.5 }],
    ['a capacity in words', { ...definition, capacityTotal: '10' }],
    ['an unknown type', { ...definition, eventType: 'RAFFLE' }],
    ['an id with #', { ...definition, eventId: 'a#b' }],
    [
      'an end before the beginning',
      { ...definition, opensAt: Date.now() + day, closesAt: Date.now() },
    ],
    ['an end in the past', { ...definition, opensAt: 1, closesAt: 2 }],
    ['a made-up time zone', { ...definition, timezone: 'Mars/Olympus' }],
    ['65 index shards', { ...definition, indexShards: 65 }],
    ['an unknown field', { ...definition, prize: 'car' }],
    ['a time as text', { ...definition, opensAt: '2026-01-01' }],
  ])('an event with %s is refused', async (_name, body) => {
    const server = await startServer();
    const answer = await server.operator.post('/admin/events', body);
    expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
    expect(String(answer.body['detail'])).not.toBe('undefined');
  });

  test('an event id that exists is refused and changes nothing', async () => {
    const server = await startServer();
    await createEvent(server.operator, 'once', 5);
    const again = await server.operator.post('/admin/events', { ...definition, eventId: 'once' });
    expect([again.status, again.body['code']]).toEqual([409, 'EVENT_EXISTS']);
    expect((await server.operator.get('/admin/events/once')).body['capacityTotal']).toBe(5);
  });

  test.each([
    ['a lower capacity', { capacityTotal: 4 }, 409, 'CAPACITY_NOT_RAISED'],
    ['another opening after it', { opensAt: 5 }, 409, 'EVENT_ALREADY_OPEN'],
    ['an end in the past', { closesAt: 5 }, 409, 'EVENT_END_PAST'],
    ['an end too far', { closesAt: Date.now() + 38 * day }, 409, 'EVENT_END_TOO_LATE'],
    ['nothing', {}, 400, 'INVALID_REQUEST'],
    ['another type', { eventType: 'LOTTERY' }, 400, 'INVALID_REQUEST'],
  ])('changing an open event to %s is refused', async (_name, patch, status, code) => {
    const server = await startServer();
    await createEvent(server.operator, 'fixed', 5);
    const answer = await server.operator.patch('/admin/events/fixed', patch);
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
  });

  test('somebody else’s request is not found, an operator sees it', async () => {
    const server = await startServer();
    const requestId = await participate(server.user('kim'), 'demo-first-come');
    expect((await server.user('lee').get(`/requests/${requestId}`)).status).toBe(404);
    expect((await server.operator.get(`/requests/${requestId}`)).status).toBe(200);
    expect((await server.user('kim').get(`/requests/${requestId}`)).status).toBe(200);
  });

  test('a cursor of one list is refused by another', async () => {
    const server = await startServer();
    await createEvent(server.operator, 'a-list', 5);
    const { body } = await server.operator.get('/admin/events?limit=1');
    const cursor = String(body['nextCursor']);
    expect((await server.operator.get(`/admin/events?cursor=${cursor}`)).status).toBe(200);
    const wrong = await server.operator.get(`/admin/audit?cursor=${cursor}`);
    expect(wrong.body['code']).toBe('INVALID_CURSOR');
  });
});
