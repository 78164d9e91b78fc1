import type { Distribution } from '../../domain/percentile.ts';
import type { Progress } from '../../domain/request.ts';
import type { Environment } from './lmdb-environment.ts';
import { lmdbKeys } from './lmdb-keys.ts';

/**
 * How many requests of an event had each delay, exact to the millisecond: 64 counts a stored chunk.
 * A settled batch spans few milliseconds of delay and so rewrites few chunks, however many there are.
 */
export type DelayKind = 'queue' | 'e2e';

export interface DelayChanges {
  /** Counts one request's move; `before` and `after` may or may not have the times yet. */
  move(queuedAt: number, before: Progress, after: Progress): void;
  write(): void;
}

export function collectDelays(env: Environment, eventNo: number): DelayChanges {
  const changes = { queue: new Map<number, number>(), e2e: new Map<number, number>() };
  return {
    move(queuedAt, before, after) {
      count(changes.queue, queuedAt, before.startedAt, -1);
      count(changes.queue, queuedAt, after.startedAt, 1);
      count(changes.e2e, queuedAt, before.finishedAt, -1);
      count(changes.e2e, queuedAt, after.finishedAt, 1);
    },
    write() {
      writeChunks(env, eventNo, 'queue', changes.queue);
      writeChunks(env, eventNo, 'e2e', changes.e2e);
    },
  };
}

export function* delaysOf(env: Environment, eventNo: number, kind: DelayKind): Distribution {
  const start = lmdbKeys.delays(eventNo, kindNumber[kind], 0);
  const end = lmdbKeys.delays(eventNo, kindNumber[kind] + 1, 0);
  for (const { key, value } of env.delays.getRange({ start, end })) {
    const firstMs = key.readUInt32BE(5) * chunkLength;
    for (let index = 0; index < chunkLength; index += 1) {
      const count = value.readUInt32LE(index * 4);
      if (count > 0) yield [firstMs + index, count];
    }
  }
}

function count(changes: Map<number, number>, from: number, to: number | null, by: 1 | -1): void {
  if (to === null) return;
  const delayMs = Math.max(0, to - from);
  changes.set(delayMs, (changes.get(delayMs) ?? 0) + by);
}

function writeChunks(
  env: Environment,
  eventNo: number,
  kind: DelayKind,
  changes: Map<number, number>,
): void {
  const chunks = new Map<number, Buffer>();
  for (const [delayMs, by] of changes) {
    if (by === 0) continue;
    const number = Math.floor(delayMs / chunkLength);
    const chunk = chunks.get(number) ?? copyOfChunk(env, eventNo, kind, number);
    chunks.set(number, chunk);
    const offset = (delayMs % chunkLength) * 4;
    chunk.writeUInt32LE(chunk.readUInt32LE(offset) + by, offset);
  }
  for (const [number, chunk] of chunks) {
    env.delays.put(lmdbKeys.delays(eventNo, kindNumber[kind], number), chunk);
  }
}

function copyOfChunk(env: Environment, eventNo: number, kind: DelayKind, number: number): Buffer {
  const stored = env.delays.get(lmdbKeys.delays(eventNo, kindNumber[kind], number));
  return stored === undefined ? Buffer.alloc(chunkLength * 4) : Buffer.from(stored);
}

const chunkLength = 64;
const kindNumber = { queue: 0, e2e: 1 } as const;
