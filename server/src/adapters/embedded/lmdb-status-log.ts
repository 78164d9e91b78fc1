import type { Request } from '../../domain/request.ts';
import { expiry } from '../../domain/retention.ts';
import { changesToldBy, type StatusChange } from '../../domain/timeline.ts';
import { decodeJson, type Environment, encodeJson } from './lmdb-environment.ts';
import { writeExpiry } from './lmdb-expiries.ts';
import { highestId, lmdbKeys } from './lmdb-keys.ts';

export type StatusLogLevel = 'exceptions' | 'all';

/** Part of a larger write. Entries of one millisecond are kept apart by their ordinal. */
export function writeLog(
  env: Environment,
  idBytes: Buffer,
  changes: readonly StatusChange[],
): void {
  if (changes.length === 0) return;
  const first = countLogs(env, idBytes);
  changes.forEach((change, index) => {
    const key = lmdbKeys.log(idBytes, change.occurredAt, first + index);
    env.logs.put(key, encodeJson(change));
    writeExpiry(env, expiry.statusLog(change.occurredAt), 'log', key);
  });
}

export function readLog(env: Environment, idBytes: Buffer): StatusChange[] {
  const entries = env.logs.getRange({ ...rangeOf(idBytes), limit: logEntriesMax });
  return [...entries.map(({ value }) => decodeJson<StatusChange>(value))];
}

/** At level `all`, what a move adds to the times that the request tells by itself. */
export function newChanges(before: Request | null, after: Request): StatusChange[] {
  const known = before === null ? 0 : changesToldBy(before).length;
  return changesToldBy(after).slice(known);
}

function countLogs(env: Environment, idBytes: Buffer): number {
  return env.logs.getKeysCount(rangeOf(idBytes));
}

function rangeOf(idBytes: Buffer): { start: Buffer; end: Buffer } {
  return { start: lmdbKeys.log(idBytes, 0, 0), end: Buffer.concat([idBytes, highestId]) };
}

const logEntriesMax = 100;
