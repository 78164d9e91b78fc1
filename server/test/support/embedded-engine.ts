import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  decodeJson,
  type Environment,
  openEnvironment,
} from '../../src/adapters/embedded/lmdb-environment.ts';
import { lmdbKeys } from '../../src/adapters/embedded/lmdb-keys.ts';
import {
  type EmbeddedEngineOptions,
  openEmbeddedEngine,
} from '../../src/adapters/embedded/open-embedded-engine.ts';
import type { EventId, UserId } from '../../src/domain/ids.ts';
import { invariant } from '../../src/domain/invariant.ts';
import { bytesOf } from '../../src/domain/request-id-bytes.ts';
import type { TestEngine } from '../contracts/test-engine.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createManualTimers, type ManualTimers, nextTurn } from './manual-timers.ts';

export interface EmbeddedTestEngine extends TestEngine {
  readonly clock: ManualClock;
  readonly timers: ManualTimers;
  readonly dataDirectory: string;
  /** Lets a test look into the store, or spoil it, beside the open engine. */
  withEnvironment<Result>(look: (env: Environment) => Result | Promise<Result>): Promise<Result>;
}

/** The embedded engine in a directory of its own, which goes with it. */
export async function openEmbeddedTestEngine(
  wishes: Partial<EmbeddedEngineOptions> = {},
): Promise<EmbeddedTestEngine> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'fairline-test-'));
  const options = { ...defaults, ...wishes, dataDirectory };
  const clock = createManualClock();
  const timers = createManualTimers(clock);
  let engine = await openEmbeddedEngine(options, clock, timers);
  let undecodableCount = 0;

  const withEnvironment = async <Result>(
    look: (env: Environment) => Result | Promise<Result>,
  ): Promise<Result> => {
    const env = openEnvironment(join(dataDirectory, 'store'), options.durability);
    try {
      return await look(env);
    } finally {
      await env.close();
    }
  };

  return {
    get engine() {
      return engine;
    },
    clock,
    timers,
    dataDirectory,
    visibilityMs: options.visibilityMs,
    receivesMax: options.receivesMax,
    pollMs: 20_000,
    countsWhatIsGivenBack: false,
    now: clock.now,
    withEnvironment,
    async advance(ms) {
      clock.move(ms);
      await nextTurn();
    },
    async restart({ clockBackMs = 0 } = {}) {
      await engine.close();
      clock.move(-clockBackMs);
      engine = await openEmbeddedEngine(options, clock, timers);
    },
    async putUndecodableMessage(eventId) {
      const event = await engine.events.get(eventId);
      invariant(event !== undefined, 'The event is stored.');
      undecodableCount += 1;
      const userId = `undecodable-${undecodableCount}` as UserId;
      const { requestId } = await engine.admission.admit(event, userId, clock.now());
      await withEnvironment((env) =>
        env.write(() => {
          const key = lmdbKeys.message(eventNumber(env, eventId), bytesOf(requestId));
          env.queue.put(key, Buffer.from('no message of ours'));
        }),
      );
      return requestId;
    },
    async close() {
      await engine.close();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

export function eventNumber(env: Environment, eventId: EventId): number {
  const stored = env.events.get(Buffer.from(eventId, 'latin1'));
  invariant(stored !== undefined, 'The event is stored.');
  return decodeJson<{ eventNo: number }>(stored).eventNo;
}

const defaults = {
  durability: 'flush',
  statusLog: 'exceptions',
  visibilityMs: 30_000,
  receivesMax: 3,
} as const;
