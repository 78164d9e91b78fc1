import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Threads that accept from one socket take what they can get: a busy moment of one leaves the
 * others with far more than their share, for as long as the connections live. A thread above its
 * share closes a newcomer with its first answer; it comes again and meets who is less busy.
 * @returns whether a connection is to be closed so
 */
export function balanceConnections(
  server: Server,
  own: number,
  counts: Int32Array,
): (socket: Socket) => boolean {
  const surplus = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    Atomics.add(counts, own, 1);
    socket.once('close', () => Atomics.sub(counts, own, 1));
    const total = counts.reduce((sum, _count, index) => sum + Atomics.load(counts, index), 0);
    const fairShare = total / counts.length;
    if (Atomics.load(counts, own) > fairShare * tolerance + alwaysFew) surplus.add(socket);
  });
  return (socket) => surplus.has(socket);
}

const tolerance = 1.25;
const alwaysFew = 16;
