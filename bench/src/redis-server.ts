import { mkdir } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { findFreePort } from './free-port.ts';
import type { Lab } from './lab.ts';

/**
 * A Redis that answers a write only after its fsync, as Fairline does. It never rewrites its log,
 * so that no rewrite falls into a measured window.
 */
export async function startRedisServer(lab: Lab): Promise<number> {
  const port = await findFreePort();
  const directory = lab.newPath('redis');
  await mkdir(directory);
  const started = lab.start({
    name: 'redis-server',
    file: 'redis-server',
    args: [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', ''],
      ...['--appendonly', 'yes', '--appendfsync', 'always', '--auto-aof-rewrite-percentage', '0'],
      ...['--maxmemory-policy', 'noeviction', '--loglevel', 'warning'],
    ],
    cwd: directory,
  });
  await started.waitUntilReady(() => answersPing(port));
  return port;
}

async function answersPing(port: number): Promise<boolean> {
  const redis = new Redis(port, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return (await redis.ping()) === 'PONG';
  } finally {
    redis.disconnect();
  }
}
