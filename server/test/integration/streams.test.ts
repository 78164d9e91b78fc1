import { describe, expect, test } from 'vitest';
import { openEventSource } from '../support/event-source.ts';
import { createEvent, participate, until } from '../support/participation.ts';
import { scratchDirectory, startServer } from '../support/test-server.ts';

describe('a request’s stream', () => {
  test('shows every change and ends when the request is done', async () => {
    const server = await startServer();
    await createEvent(server.operator, 'watched', 5);
    await server.operator.post('/debug/faults', {
      eventId: 'watched',
      kind: 'retryable',
      count: 2,
    });
    const requestId = await participate(server.user('kim'), 'watched');
    const stream = await openEventSource(`${server.address}/requests/${requestId}/stream`, {
      'x-debug-user-id': 'kim',
    });
    const events = await stream.rest();

    expect(stream.contentType).toContain('text/event-stream');
    expect(events.every(({ event }) => event === 'request')).toBe(true);
    expect(events.at(-1)?.data).toMatchObject({ requestId, status: 'SUCCEEDED', step: 'DONE' });
    const polled = await server.user('kim').get(`/requests/${requestId}`);
    expect(events.at(-1)?.data).toEqual(polled.body);
  });

  test('resumes after a restart of the server, without repeating what was seen', async () => {
    const directory = scratchDirectory();
    const first = await startServer({ FAIRLINE_DATA_DIR: directory, FAIRLINE_ROLES: 'api' });
    await createEvent(first.operator, 'resumed', 5);
    const requestId = await participate(first.user('kim'), 'resumed');
    const path = `/requests/${requestId}/stream`;
    const before = await openEventSource(first.address + path, { 'x-debug-user-id': 'kim' });
    const seen = await before.next();
    expect(seen?.data).toMatchObject({ status: 'QUEUED', position: 0 });
    await first.stop();
    expect(await before.next()).toBeUndefined();

    const second = await startServer({ FAIRLINE_DATA_DIR: directory });
    const after = await openEventSource(second.address + path, {
      'x-debug-user-id': 'kim',
      'last-event-id': seen?.id ?? '',
    });
    const events = await after.rest();
    expect(events.map(({ id }) => id)).not.toContain(seen?.id);
    expect(events.at(-1)?.data).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('is one of at most 1,000; who comes after is told to poll', async () => {
    const server = await startServer({ FAIRLINE_ROLES: 'api' });
    const requestId = await participate(server.user('kim'), 'demo-first-come');
    const open = () =>
      openEventSource(`${server.address}/requests/${requestId}/stream`, {
        'x-debug-user-id': 'kim',
      });
    const streams = await Promise.all(Array.from({ length: 1000 }, open));
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    expect((await open()).status).toBe(503);
    for (const stream of streams.slice(0, 10)) stream.close();
    await until(open, ({ status }) => status === 200);
  });

  test('is nobody else’s, and of a done request it is one event', async () => {
    const server = await startServer();
    const requestId = await participate(server.user('kim'), 'demo-first-come');
    const path = `${server.address}/requests/${requestId}/stream`;
    const stranger = await openEventSource(path, { 'x-debug-user-id': 'lee' });
    expect(stranger.status).toBe(404);
    const own = await openEventSource(path, { 'x-debug-user-id': 'kim' });
    await own.rest();
    const again = await openEventSource(path, { 'x-debug-user-id': 'kim' });
    expect(await again.rest()).toHaveLength(1);
  });
});
