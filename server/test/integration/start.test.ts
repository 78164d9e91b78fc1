import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCli, spawnServer } from '../support/child-server.ts';
import { allRequests, createEvent, participate, untilSettled } from '../support/participation.ts';
import { scratchDirectory } from '../support/test-server.ts';

describe('starting', () => {
  test('names every variable that is not valid and exits with 2', async () => {
    const { code, output } = await runCli(['serve'], {
      PORT: 'eighty',
      FAIRLINE_ENV: 'staging',
      FAIRLINE_ROLES: 'api,cook',
      FAIRLINE_RECEIVES_MAX: '0',
      FAIRLINE_JWT_SECRET_FILE: '/nonexistent/secret',
    });
    expect(code).toBe(2);
    for (const name of [
      'PORT',
      'FAIRLINE_ENV',
      'FAIRLINE_ROLES',
      'FAIRLINE_RECEIVES_MAX',
      'FAIRLINE_JWT_SECRET_FILE',
    ]) {
      expect(output).toContain(`${name}: `);
    }
  });

  test.each([
    ['production without JWT settings', { FAIRLINE_ENV: 'production' }, /FAIRLINE_JWT_SECRET/],
    [
      'a short secret',
      { FAIRLINE_JWT_SECRET: 'short' },
      /FAIRLINE_JWT_SECRET: must have at least 32/,
    ],
    ['development on a public address', { HOST: '0.0.0.0' }, /HOST: .*FAIRLINE_DEV_REMOTE/],
    ['an engine that does not exist', { FAIRLINE_ENGINE: 'oracle' }, /FAIRLINE_ENGINE/],
  ])('refuses %s', async (_name, environment, message) => {
    const { code, output } = await runCli(['serve'], environment);
    expect(code).toBe(2);
    expect(output).toMatch(message);
  });

  test('says plainly that the port is taken', async () => {
    const holder = createServer();
    await new Promise<void>((ready) => holder.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void holder.close());
    const { code, output } = await runCli(['serve'], {
      PORT: String((holder.address() as AddressInfo).port),
      FAIRLINE_DATA_DIR: scratchDirectory(),
    });
    expect(code).toBe(1);
    expect(output).toMatch(/EADDRINUSE.*set PORT/);
    expect(output).not.toMatch(/ {4}at /);
  });

  test('says plainly that the data directory cannot be written', async () => {
    const file = join(scratchDirectory(), 'file');
    writeFileSync(file, '');
    const { code, output } = await runCli(['serve'], { FAIRLINE_DATA_DIR: join(file, 'data') });
    expect(code).toBe(1);
    expect(output).toMatch(/The data directory .* cannot be written/);
    expect(output).not.toMatch(/ {4}at /);
  });

  test('refuses a data directory that another process serves, and gets it once that has stopped', async () => {
    const environment = { FAIRLINE_DATA_DIR: scratchDirectory(), PORT: '0' };
    const first = await spawnServer(environment);
    const { code, output } = await runCli(['serve'], environment);
    expect(code).toBe(1);
    expect(output).toMatch(/is in use by process \d+/);

    const [, second] = await Promise.all([
      first.end('SIGTERM'),
      spawnAfterStop(first, environment),
    ]);
    expect((await second.operator.get('/readyz')).status).toBe(200);
    await second.end('SIGTERM');
  });

  test('serves on from a full disk: 503 until there is room, nothing answered is lost', async () => {
    const environment = { FAIRLINE_DATA_DIR: scratchDirectory(), FAIRLINE_RATE_USER_MAX: '0' };
    const cramped = await spawnServer(environment, { fileBlocksMax: 2000 });
    await createEvent(cramped.operator, 'tight', 40);
    const answered: string[] = [];
    let refusedCount = 0;
    for (let index = 0; refusedCount < 20; index += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, offset) =>
          cramped
            .user(`${'long-'.repeat(20)}${index + offset}`)
            .post<{ requestId: string }>('/events/tight/participations'),
        ),
      );
      for (const { status, body, headers } of answers) {
        if (status === 202) answered.push(body.requestId);
        else {
          expect(status).toBe(503);
          expect(headers.get('retry-after')).toBe('1');
          refusedCount += 1;
        }
      }
    }
    expect((await cramped.operator.get('/healthz')).status).toBe(200);
    await cramped.end('SIGKILL');

    const roomy = await spawnServer(environment);
    await participate(roomy.user('late'), 'tight');
    const summary = await untilSettled(roomy.operator, 'tight');
    const kept = new Set(
      (await allRequests(roomy.operator, 'tight')).map(({ requestId }) => requestId),
    );
    expect(answered.every((requestId) => kept.has(requestId))).toBe(true);
    expect(summary).toMatchObject({ inversions: 0, byResultCode: { SUCCESS: 40 } });
    await roomy.end('SIGTERM');
  });

  test('tolerates several starts at once from one checkout', async () => {
    const starts = Array.from({ length: 3 }, () =>
      spawnServer({ FAIRLINE_DATA_DIR: scratchDirectory() }),
    );
    const servers = await Promise.all(starts);
    expect(new Set(servers.map(({ address }) => address)).size).toBe(3);
    await Promise.all(servers.map((server) => server.end('SIGTERM')));
  });
});

describe('the command line', () => {
  test('prints a token that the server of the same data directory accepts', async () => {
    const environment = { FAIRLINE_DATA_DIR: scratchDirectory() };
    mkdirSync(environment.FAIRLINE_DATA_DIR, { recursive: true });
    const { output } = await runCli(['token', '--user', 'kim', '--admin'], environment);
    const server = await spawnServer(environment);
    const response = await fetch(`${server.address}/admin/events`, {
      headers: { authorization: `Bearer ${output.trim()}` },
    });
    expect(response.status).toBe(200);
    await server.end('SIGTERM');
    expect(server.output()).not.toContain(output.trim());
  });

  test.each([
    [['token'], /--user/],
    [['token', '--user', 'a b'], /--user/],
    [['token', '--user', 'kim', '--expires-in', 'soon'], /--expires-in/],
    [['fly'], /fly/],
    [['serve', '--fast'], /--fast/],
  ])('%j exits with 2 and names what is wrong', async (args, message) => {
    const { code, output } = await runCli(args);
    expect(code).toBe(2);
    expect(output).toMatch(message);
  });

  test('--help exits with 0', async () => {
    expect((await runCli(['--help'])).code).toBe(0);
    expect((await runCli(['token', '--help'])).output).toMatch(/--expires-in/);
  });
});

/** Starts once the first has announced its stop, while it may still be closing. */
async function spawnAfterStop(
  first: { operator: { get(path: string): Promise<unknown> } },
  environment: Record<string, string>,
) {
  await first.operator.get('/readyz').catch(() => undefined);
  return spawnServer(environment);
}
