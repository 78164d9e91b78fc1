import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { serve } from '../../src/main/serve.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { type Caller, operatorOf, userOf } from './api-client.ts';

export interface TestServer {
  readonly address: string;
  readonly operator: Caller;
  user(userId: string): Caller;
  stop(): Promise<void>;
}

/** The whole product within the test's process, on a free port; it ends with the test. */
export async function startServer(environment: Record<string, string> = {}): Promise<TestServer> {
  const config = readConfig({
    PORT: '0',
    FAIRLINE_DATA_DIR: environment['FAIRLINE_DATA_DIR'] ?? scratchDirectory(),
    FAIRLINE_RATE_USER_MAX: '0',
    // Gates are threads of the bundle: servers that run as a process of their own have them.
    FAIRLINE_GATE_THREADS: '0',
    ...environment,
  });
  const server = await serve(config, silentLogger);
  onTestFinished(() => server.stop());
  return {
    address: server.address,
    operator: operatorOf(server.address),
    user: (userId) => userOf(server.address, userId),
    stop: server.stop,
  };
}

export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fairline-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };
