import { startFauxqs } from 'fauxqs';
import type { Emulator } from './dynamo-emulator.ts';

/** An SQS that speaks the real protocol, in memory and in this process, on this process’s clock. */
export async function startSqsEmulator(): Promise<Emulator> {
  const server = await startFauxqs({ port: 0, logger: false });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop() };
}
