import { type Environment, nothing, type Store } from './lmdb-environment.ts';
import { lmdbKeys } from './lmdb-keys.ts';

/**
 * Records that expire by themselves, in order of their time: the time to live of everything that
 * does not simply follow its event's end.
 */
export type ExpiringKind = 'log' | 'dead-letter' | 'audit';

export interface ExpiredRecord {
  readonly kind: ExpiringKind;
  readonly key: Buffer;
  readonly entry: Buffer;
}

export function writeExpiry(
  env: Environment,
  expiresAt: number,
  kind: ExpiringKind,
  key: Buffer,
): void {
  const tagged = Buffer.concat([Buffer.from([kinds.indexOf(kind)]), key]);
  env.expiries.put(lmdbKeys.timed(expiresAt, tagged), nothing);
}

export function expiredBy(env: Environment, now: number, limit: number): ExpiredRecord[] {
  const end = lmdbKeys.timed(now, nothing);
  return [...env.expiries.getKeys({ end, limit })].flatMap((entry) => {
    const kind = kinds[entry.readUInt8(6)];
    return kind === undefined ? [] : [{ kind, key: entry.subarray(7), entry }];
  });
}

export function storeOf(env: Environment, kind: ExpiringKind): Store {
  if (kind === 'log') return env.logs;
  return kind === 'audit' ? env.audit : env.deadLetters;
}

const kinds: readonly ExpiringKind[] = ['log', 'dead-letter', 'audit'];
