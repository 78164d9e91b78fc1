import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSigner } from 'fast-jwt';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callerOf } from '../support/api-client.ts';
import { startServer } from '../support/test-server.ts';

const secret = 'a-secret-of-at-least-thirty-two-bytes!';

describe('identity by HS256 token', () => {
  const sign = (claims: object, options: object = {}) =>
    createSigner({ key: secret, algorithm: 'HS256', ...options })(
      claims as Record<string, unknown>,
    );

  test('the token’s sub is the user, whatever else is said', async () => {
    const server = await startServer({ FAIRLINE_JWT_SECRET: secret });
    const asKim = bearer(server.address, sign({ sub: 'kim' }));
    expect((await asKim.post('/events/demo-first-come/participations')).status).toBe(202);
    const inBody = await asKim.post('/events/demo-first-come/participations', { userId: 'lee' });
    expect([inBody.status, inBody.body['code']]).toEqual([400, 'USER_ID_NOT_ACCEPTED']);
    const inQuery = await asKim.post('/events/demo-first-come/participations?userId=lee');
    expect([inQuery.status, inQuery.body['code']]).toEqual([400, 'USER_ID_NOT_ACCEPTED']);
  });

  test.each([
    ['no token', undefined],
    ['garbage', 'garbage'],
    ['an expired token', sign({ sub: 'kim', exp: 1 })],
    ['another secret', createSigner({ key: `${secret}x`, algorithm: 'HS256' })({ sub: 'kim' })],
    ['another algorithm', createSigner({ key: secret, algorithm: 'HS512' })({ sub: 'kim' })],
    ['no algorithm', createSigner({ algorithm: 'none' })({ sub: 'kim' })],
    ['no sub', sign({ role: 'admin' })],
    ['a sub with #', sign({ sub: 'a#b' })],
    ['a sub of 129 characters', sign({ sub: 'x'.repeat(129) })],
    ['the wrong audience', sign({ sub: 'kim', iss: 'us', aud: 'others' })],
    ['no audience', sign({ sub: 'kim', iss: 'us' })],
    ['the wrong issuer', sign({ sub: 'kim', iss: 'them', aud: 'fairline' })],
  ])('%s is nobody', async (_name, token) => {
    const server = await startServer({
      FAIRLINE_JWT_SECRET: secret,
      FAIRLINE_JWT_ISSUER: 'us',
      FAIRLINE_JWT_AUDIENCE: 'fairline',
    });
    const caller =
      token === undefined ? callerOf(server.address, {}) : bearer(server.address, token);
    const answer = await caller.get('/me/participations');
    expect([answer.status, answer.body['code']]).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('an operator is told by role or roles, and others get 403', async () => {
    const server = await startServer({ FAIRLINE_JWT_SECRET: secret });
    const status = async (claims: object) =>
      (await bearer(server.address, sign(claims)).get('/admin/events')).status;
    expect(await status({ sub: 'op', role: 'admin' })).toBe(200);
    expect(await status({ sub: 'op', roles: ['x', 'admin'] })).toBe(200);
    expect(await status({ sub: 'kim' })).toBe(403);
    expect((await callerOf(server.address, {}).get('/admin/events')).status).toBe(401);
  });

  test('a session cookie works for the pages and only from the pages', async () => {
    const server = await startServer({ FAIRLINE_JWT_SECRET: secret });
    const signIn = await bearer(server.address, sign({ sub: 'kim' })).post('/session');
    const cookie = signIn.headers.get('set-cookie') ?? '';
    expect(signIn.status).toBe(204);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    const session = cookie.split(';')[0] ?? '';
    const path = '/events/demo-first-come/participations';

    const own = callerOf(server.address, { cookie: session, origin: server.address });
    expect((await own.post(path)).status).toBe(202);
    const foreign = callerOf(server.address, { cookie: session, origin: 'https://evil.example' });
    expect((await foreign.post(path)).body['code']).toBe('ORIGIN_REFUSED');
    expect((await callerOf(server.address, { cookie: session }).post(path)).status).toBe(403);
    expect(
      (await callerOf(server.address, { cookie: session }).get('/me/participations')).status,
    ).toBe(200);
    const signOut = await own.delete('/session');
    expect(signOut.headers.get('set-cookie')).toMatch(/fairline_session=;/);
    expect((await callerOf(server.address, {}).post('/session')).status).toBe(401);
  });
});

describe('debug headers', () => {
  test('stand in for a token in development, unless the request was forwarded', async () => {
    const server = await startServer();
    const debug = { 'x-debug-user-id': 'kim', 'x-debug-role': 'admin' };
    const status = async (headers: Record<string, string>) =>
      (await callerOf(server.address, headers).get('/admin/events')).status;
    expect(await status(debug)).toBe(200);
    expect(await status({ ...debug, 'x-forwarded-for': '10.0.0.1' })).toBe(401);
    expect(await status({ ...debug, forwarded: 'for=10.0.0.1' })).toBe(401);
    expect(await status({ ...debug, authorization: 'Bearer garbage' })).toBe(401);
    expect(await status({ 'x-debug-user-id': 'a b' })).toBe(401);
  });

  test('are nobody in production, where the fault switch is absent too', async () => {
    const server = await startServer({ FAIRLINE_ENV: 'production', FAIRLINE_JWT_SECRET: secret });
    const debug = callerOf(server.address, { 'x-debug-user-id': 'kim', 'x-debug-role': 'admin' });
    expect((await debug.get('/admin/events')).status).toBe(401);
    expect((await debug.post('/debug/faults', {})).status).toBe(404);
    expect((await debug.get('/metrics')).status).toBe(401);
    expect((await debug.get('/events')).body['items']).toEqual([]);
  });
});

describe('identity by key set', () => {
  test('a rotation is followed, algorithms are pinned to their keys', async () => {
    const first = keyPair('first');
    const second = keyPair('second');
    const keySet = await serveKeys([first.jwk]);
    const server = await startServer({ FAIRLINE_JWKS_URL: keySet.url });
    const status = async (token: string) =>
      (await bearer(server.address, token).get('/me/participations')).status;

    expect(await status(first.sign({ sub: 'kim' }))).toBe(200);
    expect(keySet.fetchCount()).toBe(1);
    const confused = createSigner({ key: first.publicPem, algorithm: 'HS256', kid: 'first' });
    expect(await status(confused({ sub: 'kim' }))).toBe(401);

    keySet.publish([second.jwk]);
    await untilStatus(() => status(second.sign({ sub: 'kim' })), 200);
    expect(await status(first.sign({ sub: 'kim' }))).toBe(401);
  });

  test('while the key set is away the known keys go on counting', async () => {
    const key = keyPair('only');
    const keySet = await serveKeys([key.jwk]);
    const server = await startServer({ FAIRLINE_JWKS_URL: keySet.url });
    const status = async (token: string) =>
      (await bearer(server.address, token).get('/me/participations')).status;
    expect(await status(key.sign({ sub: 'kim' }))).toBe(200);
    await keySet.close();
    expect(await status(keyPair('unknown').sign({ sub: 'kim' }))).toBe(401);
    expect(await status(key.sign({ sub: 'kim' }))).toBe(200);
  });
});

function bearer(address: string, token: string) {
  return callerOf(address, { authorization: `Bearer ${token}` });
}

function keyPair(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = (key: KeyObject, type: 'spki' | 'pkcs8') =>
    String(key.export({ type, format: 'pem' }));
  return {
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' },
    publicPem: pem(publicKey, 'spki'),
    sign: createSigner({ key: pem(privateKey, 'pkcs8'), algorithm: 'ES256', kid }),
  };
}

async function serveKeys(initial: object[]) {
  let keys = initial;
  let fetches = 0;
  const server = createServer((_request, response) => {
    fetches += 1;
    response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    publish: (next: object[]) => {
      keys = next;
    },
    fetchCount: () => fetches,
    close,
  };
}

async function untilStatus(ask: () => Promise<number>, wanted: number): Promise<void> {
  while ((await ask()) !== wanted);
}
