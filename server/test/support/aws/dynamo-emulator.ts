import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { freePort } from './free-port.ts';

export interface Emulator {
  readonly url: string;
  stop(): Promise<void>;
}

/** A DynamoDB that speaks the real protocol, as a process of its own; in memory without a file. */
export async function startDynamoEmulator(
  options: { readonly port?: number; readonly file?: string } = {},
): Promise<Emulator> {
  const port = options.port ?? (await freePort());
  const args = ['--port', String(port), ...(options.file ? ['--db-path', options.file] : [])];
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((listening, failed) => {
    child.once('error', failed);
    child.stderr.on('data', (chunk) => {
      if (String(chunk).includes('listening')) listening();
    });
    void ended.then(() => failed(new Error('The DynamoDB emulator ended at its start.')));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const binary = createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
