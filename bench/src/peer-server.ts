import { findFreePort } from './free-port.ts';
import type { Lab } from './lab.ts';
import { ParticipationServer } from './participation-server.ts';
import { benchDirectory } from './paths.ts';
import { startRedisServer } from './redis-server.ts';
import { jwtSecret } from './tokens.ts';

export async function startPeerServer(lab: Lab): Promise<ParticipationServer> {
  const redisPort = await startRedisServer(lab);
  const port = await findFreePort();
  const started = lab.start({
    name: 'peer',
    file: process.execPath,
    args: ['--import', 'tsx', 'peers/redis-bullmq.ts'],
    cwd: benchDirectory,
    env: { PORT: String(port), REDIS_PORT: String(redisPort), JWT_SECRET: jwtSecret },
  });
  const server = new ParticipationServer(`http://127.0.0.1:${port}`, started);
  await server.waitUntilReady();
  return server;
}
