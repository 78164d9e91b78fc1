import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stampOf } from '../../domain/request-id-bytes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Engine } from '../../ports/engine.ts';
import type { Timers } from '../../ports/timers.ts';
import { createChangeNotices } from '../system/change-notices.ts';
import { createRequestIds } from '../system/request-ids.ts';
import { lockDataDirectory } from './data-directory-lock.ts';
import { createLaneBoard } from './lane-board.ts';
import { createLmdbAdmission } from './lmdb-admission.ts';
import { createLmdbAuditTrail } from './lmdb-audit-trail.ts';
import { createBurial } from './lmdb-burial.ts';
import { createDeadLetterWriter, createLmdbDeadLetters } from './lmdb-dead-letters.ts';
import {
  type Durability,
  decodeJson,
  type Environment,
  encodeJson,
  openEnvironment,
} from './lmdb-environment.ts';
import { createLmdbEvents, loadEventRegistry } from './lmdb-events.ts';
import { createLanes } from './lmdb-lanes.ts';
import { createLmdbLine } from './lmdb-line.ts';
import { createLmdbQueue } from './lmdb-queue.ts';
import { createLmdbRedelivery } from './lmdb-redelivery.ts';
import { createRequestMoves } from './lmdb-request-moves.ts';
import { createLmdbRequests } from './lmdb-requests.ts';
import { createLmdbSettlement } from './lmdb-settlement.ts';
import { createLmdbStatistics } from './lmdb-statistics.ts';
import type { StatusLogLevel } from './lmdb-status-log.ts';
import { createLmdbSweeper } from './lmdb-sweeper.ts';

export interface EmbeddedEngineOptions {
  readonly dataDirectory: string;
  readonly durability: Durability;
  readonly statusLog: StatusLogLevel;
  readonly visibilityMs: number;
  readonly receivesMax: number;
}

export async function openEmbeddedEngine(
  options: EmbeddedEngineOptions,
  clock: Clock,
  timers: Timers,
): Promise<Engine> {
  prepareDirectory(options.dataDirectory);
  const lock = await lockDataDirectory(options.dataDirectory, timers);
  const env = await openStore(options).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });

  const registry = loadEventRegistry(env);
  const lanes = createLanes(env);
  const board = createLaneBoard(env, lanes);
  for (const event of registry.all()) board.open(registry.numberOf(event.eventId));
  const notices = createChangeNotices();
  const moves = createRequestMoves(env, registry, options.statusLog);
  const deadLetters = createDeadLetterWriter(env, registry);
  const requestIds = createRequestIds(clock, lastStamp(env));
  const sweeper = createLmdbSweeper(env, registry, lanes, deadLetters, clock, sweepSliceMax);

  return {
    admission: createLmdbAdmission(
      env,
      registry,
      requestIds,
      timers,
      { statusLog: options.statusLog, unflushedMax },
      board.grow,
    ),
    events: createLmdbEvents(env, registry, lanes, board.open),
    requests: createLmdbRequests(env, registry),
    queue: createLmdbQueue(
      env,
      registry,
      lanes,
      board,
      createBurial(env, moves, deadLetters),
      notices,
      clock,
      timers,
      options,
    ),
    settlement: createLmdbSettlement(env, registry, lanes, board, moves, notices, clock),
    deadLetters: createLmdbDeadLetters(env, registry, lanes, deadLetters),
    redelivery: createLmdbRedelivery(env, lanes, board, moves, deadLetters, notices),
    statistics: createLmdbStatistics(env, registry, lanes),
    line: createLmdbLine(env, registry, board),
    changes: notices,
    audit: createLmdbAuditTrail(env),
    configCacheMs: 0,
    indexShardsDefault: 1,
    sweep: sweeper.sweep,
    check: createCheck(env, clock),
    announceStop: lock.announceStop,
    async close() {
      await env.close();
      await lock.release();
    },
  };
}

async function openStore(options: EmbeddedEngineOptions): Promise<Environment> {
  const env = openEnvironment(join(options.dataDirectory, 'store'), options.durability);
  await markFormat(env);
  return env;
}

/** Asked by anyone as often as they like, so it writes once a second at most. */
function createCheck(env: Environment, clock: Clock): () => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest = Promise.resolve();
  return () => {
    const now = clock.now();
    if (Math.abs(now - checkedAt) >= checkIntervalMs) {
      checkedAt = now;
      latest = env.write(() => env.meta.put(checkKey, encodeJson(now)));
    }
    return latest;
  };
}

function prepareDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `The data directory ${directory} cannot be written: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  }
}

/** Written at every start: its fsync also covers what an earlier process committed unflushed. */
async function markFormat(env: Environment): Promise<void> {
  const stored = env.meta.get(formatKey);
  const format = stored === undefined ? dataFormat : decodeJson<number>(stored);
  if (format !== dataFormat) {
    await env.close();
    throw new Error(
      `The data directory holds format ${format}; this version reads format ${dataFormat}.`,
    );
  }
  await env.write(() => env.meta.put(formatKey, encodeJson(dataFormat)));
}

/** Ids begin with their stamp, so the last one tells the latest. */
function lastStamp(env: Environment): number {
  for (const key of env.requests.getKeys({ reverse: true, limit: 1 })) return stampOf(key);
  return 0;
}

const dataFormat = 1;
const formatKey = Buffer.from('format');
const checkKey = Buffer.from('checked-at');
const checkIntervalMs = 1000;
/** Who waits for the disk holds memory: past this many, say that it is too much. */
const unflushedMax = 50_000;
const sweepSliceMax = 500;
