import type { Clock } from '../../ports/clock.ts';
import type { Queue } from '../../ports/queue.ts';
import type { DynamoTable } from './dynamo-table.ts';

/** Whether table and queue answer. Anyone may ask as often as they like: asked once a second. */
export function createReadiness(
  table: DynamoTable,
  queue: Pick<Queue, 'depth'>,
  clock: Clock,
): () => Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<unknown> = Promise.resolve();
  return async () => {
    const now = clock.now();
    if (Math.abs(now - askedAt) >= askIntervalMs) {
      askedAt = now;
      latest = Promise.all([table.get(anyKey), queue.depth()]);
    }
    await latest;
  };
}

/** There is no such item; that it can be looked for is the answer. */
const anyKey = { PK: 'READINESS', SK: 'CHECK' };
const askIntervalMs = 1000;
