import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { balanceConnections } from './balance-connections.ts';

describe('a thread that accepts beside others', () => {
  test('keeps its share and closes what is far above it with the first answer', async () => {
    const { connections, closed } = await openConnections([0, 0], 100);
    expect(closed).toBeGreaterThan(0);
    expect(connections - closed).toBeGreaterThan(16);
    expect(connections - closed).toBeLessThan(60);
  });

  test('closes none while the others have as many', async () => {
    const { closed } = await openConnections([0, 100], 100);
    expect(closed).toBe(0);
  });

  test('closes none of the only one', async () => {
    const { closed } = await openConnections([0], 100);
    expect(closed).toBe(0);
  });

  test('counts the open ones only', async () => {
    const { counts, sockets } = await openConnections([0], 5);
    expect(counts[0]).toBe(5);
    for (const socket of sockets) socket.destroy();
    while (Atomics.load(counts, 0) > 0) await new Promise(setImmediate);
  });
});

async function openConnections(before: number[], connections: number) {
  const counts = new Int32Array(new SharedArrayBuffer(4 * before.length));
  counts.set(before);
  const server = createServer((request, response) => {
    response.end(isSurplus(request.socket) ? 'surplus' : 'kept');
  });
  const isSurplus = balanceConnections(server, 0, counts);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  let closed = 0;
  for (let index = 0; index < connections; index += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    const [answer] = await once(socket, 'data');
    if (String(answer).endsWith('surplus')) closed += 1;
  }
  return { connections, closed, counts, sockets };
}
