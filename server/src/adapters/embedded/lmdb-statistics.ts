import { percentilesOf } from '../../domain/percentile.ts';
import type { Statistics } from '../../ports/statistics.ts';
import { readAdmittedCount } from './lmdb-admission.ts';
import { delaysOf } from './lmdb-delays.ts';
import type { Environment } from './lmdb-environment.ts';
import type { EventRegistry } from './lmdb-events.ts';
import { lmdbKeys } from './lmdb-keys.ts';
import type { LaneState, Lanes } from './lmdb-lanes.ts';
import { readProgress } from './request-record.ts';

export function createLmdbStatistics(
  env: Environment,
  registry: EventRegistry,
  lanes: Lanes,
): Statistics {
  return {
    async of(event) {
      const eventNo = registry.numberOf(event.eventId);
      const { tally, deadLetters, ...lane } = lanes.read(eventNo);
      const byStatus = { ...tally.byStatus };
      byStatus.QUEUED += readAdmittedCount(env, eventNo);
      return {
        byStatus,
        byResultCode: tally.byResultCode,
        displaced: tally.displaced,
        deadLetters,
        inversions: countInversions(env, eventNo, event.indexShards, lane),
        queueDelayMs: percentilesOf(delaysOf(env, eventNo, 'queue')),
        e2eDelayMs: percentilesOf(delaysOf(env, eventNo, 'e2e')),
      };
    },
  };
}

/**
 * Winners queued after the earliest capacity rejection. When the last winner lies before it there
 * are none; that is the rule here, and the count by reading is for the case that it were broken.
 */
export function countInversions(
  env: Environment,
  eventNo: number,
  indexShards: number,
  { earliestRejected, latestWinner }: Pick<LaneState, 'earliestRejected' | 'latestWinner'>,
): number {
  if (earliestRejected === null || latestWinner === null) return 0;
  if (latestWinner < earliestRejected) return 0;
  const from = Buffer.from(earliestRejected, 'hex');
  const to = Buffer.from(latestWinner, 'hex');
  let inversions = 0;
  for (let shard = 0; shard < indexShards; shard += 1) {
    const start = lmdbKeys.byEvent(eventNo, shard, from);
    const end = lmdbKeys.byEvent(eventNo, shard, to);
    for (const key of env.byEvent.getKeys({ start, end, inclusiveEnd: true })) {
      const record = env.requests.get(key.subarray(6));
      if (record !== undefined && readProgress(record).status === 'SUCCEEDED') inversions += 1;
    }
  }
  return inversions;
}
