import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Caller, operatorOf, userOf } from './api-client.ts';

export interface ChildServer {
  readonly address: string;
  readonly operator: Caller;
  readonly output: () => string;
  user(userId: string): Caller;
  /** Resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface Limits {
  /** No file may grow past this: to a program it is a full disk. */
  readonly fileBlocksMax?: number;
}

/** The product as an operator runs it: a process of its own. Resolves when it says it is ready. */
export async function spawnServer(
  environment: Record<string, string>,
  limits: Limits = {},
): Promise<ChildServer> {
  const { child, output, ended } = spawnCli(['serve'], { PORT: '0', ...environment }, limits);
  const address = await new Promise<string>((ready, failed) => {
    void ended.then(({ code }) => failed(new Error(`Ended with ${code}: ${output()}`)));
    child.stdout?.on('data', () => {
      const found = /ready: (http:\S+)/.exec(output())?.[1];
      if (found !== undefined) ready(found);
    });
  });
  return {
    address,
    operator: operatorOf(address),
    output,
    user: (userId) => userOf(address, userId),
    async end(signal) {
      child.kill(signal);
      return (await ended).code;
    },
  };
}

/** Runs a command to its end. */
export function runCli(args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  return spawnCli(args, environment).ended;
}

function spawnCli(args: string[], environment: Record<string, string>, limits: Limits = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const limit = limits.fileBlocksMax === undefined ? '' : `ulimit -f ${limits.fileBlocksMax};`;
  const command = [process.execPath, cli, ...args];
  const child: ChildProcess = spawn('sh', ['-c', `${limit} exec "$@"`, 'sh', ...command], {
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, output: text }));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, output: () => text, ended };
}

const cli = fileURLToPath(new URL('../../bin/fairline.js', import.meta.url));
