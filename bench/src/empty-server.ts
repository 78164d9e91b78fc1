import { findFreePort } from './free-port.ts';
import type { Lab } from './lab.ts';
import { benchDirectory } from './paths.ts';

/** The ceiling: what the HTTP framework alone answers. */
export async function startEmptyServer(lab: Lab): Promise<string> {
  const port = await findFreePort();
  const started = lab.start({
    name: 'empty',
    file: process.execPath,
    args: ['--import', 'tsx', 'peers/empty.ts'],
    cwd: benchDirectory,
    env: { PORT: String(port) },
  });
  const url = `http://127.0.0.1:${port}`;
  await started.waitUntilReady(async () => (await fetch(url)).ok);
  return url;
}
