import { findFreePort } from './free-port.ts';
import type { Lab } from './lab.ts';
import type { PeakMemory } from './memory.ts';
import { ParticipationServer } from './participation-server.ts';
import { repositoryDirectory } from './paths.ts';
import { jwtSecret } from './tokens.ts';

export async function startFairlineServer(
  lab: Lab,
  memory: PeakMemory,
): Promise<ParticipationServer> {
  const port = await findFreePort();
  const started = lab.start({
    name: 'fairline',
    file: process.execPath,
    args: ['server/bin/fairline.js', 'serve'],
    cwd: repositoryDirectory,
    env: {
      PORT: String(port),
      FAIRLINE_DATA_DIR: lab.newPath('fairline'),
      FAIRLINE_JWT_SECRET: jwtSecret,
      FAIRLINE_ENV: 'development',
      FAIRLINE_RATE_USER_MAX: '0',
    },
  });
  memory.watch(started);
  const server = new ParticipationServer(`http://127.0.0.1:${port}`, started);
  await server.waitUntilReady();
  return server;
}
