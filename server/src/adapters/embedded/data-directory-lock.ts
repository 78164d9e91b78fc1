import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Timers } from '../../ports/timers.ts';

export interface DataDirectoryLock {
  /** From now on a process that waits for the directory knows that it will be free. */
  announceStop(): void;
  release(): Promise<void>;
}

export class DataDirectoryInUse extends Error {
  constructor(directory: string, holder: string) {
    super(
      `The data directory ${directory} is in use by ${holder}. Stop that process, or set FAIRLINE_DATA_DIR to another directory.`,
    );
    this.name = 'DataDirectoryInUse';
  }
}

/**
 * One process a data directory. On Linux the lock is an abstract socket, which vanishes with its
 * process however that ends; elsewhere a socket file, taken over when nobody answers on it. Who
 * finds it taken asks: a process that is stopping is waited for, a serving one is not.
 */
export async function lockDataDirectory(
  directory: string,
  timers: Timers,
): Promise<DataDirectoryLock> {
  const address = addressOf(realpathSync(directory));
  for (let attempt = 1; ; attempt += 1) {
    let state = 'serving';
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(JSON.stringify({ pid: process.pid, state }));
    });
    if (await listens(server, address)) {
      server.unref();
      return {
        announceStop: () => {
          state = 'stopping';
        },
        release: () => new Promise((released) => server.close(() => released())),
      };
    }
    const holder = await askHolder(address);
    if (holder === undefined && !address.startsWith('\0')) rmSync(address, { force: true });
    if (holder?.state === 'serving' || attempt === attemptsMax) {
      throw new DataDirectoryInUse(directory, `process ${holder?.pid ?? 'unknown'}`);
    }
    await timers.sleep(attemptIntervalMs);
  }
}

function addressOf(path: string): string {
  if (process.platform !== 'linux') return join(path, 'fairline.sock');
  return `\0fairline-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
}

function listens(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(address, () => resolve(true));
  });
}

/** Undefined when nobody answers: the holder has just gone. */
function askHolder(address: string): Promise<{ pid: number; state: string } | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(address);
    socket.setTimeout(askTimeoutMs, () => socket.destroy());
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(answer === '' ? undefined : JSON.parse(answer)));
  });
}

const attemptIntervalMs = 100;
const attemptsMax = 300;
const askTimeoutMs = 1000;
