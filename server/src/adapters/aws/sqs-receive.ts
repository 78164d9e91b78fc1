import type { Delivery, Queue } from '../../ports/queue.ts';
import type { Timers } from '../../ports/timers.ts';
import { batchMax } from './sqs-batches.ts';
import type { SqsPolls } from './sqs-polls.ts';
import { sqsReceiptOf } from './sqs-receipt.ts';

/**
 * One long poll, then whatever else is there. SQS delivers in any order: with `holdMs` the first
 * messages wait for those that are behind their time.
 */
export function createSqsReceive(
  polls: SqsPolls,
  timers: Timers,
  holdMs: number,
): Queue['receive'] {
  const addRest = async (
    received: Delivery[],
    limit: number,
    signal: AbortSignal,
  ): Promise<void> => {
    for (let mayBeMore = true; mayBeMore && !signal.aborted && received.length < limit; ) {
      const counts = pollCounts(limit - received.length);
      const polled = await Promise.allSettled(counts.map((count) => polls.poll(count, 0, signal)));
      // A fault here must not cost what was received; the next receive will meet it.
      const added = polled.flatMap((poll) => (poll.status === 'fulfilled' ? poll.value : []));
      received.push(...added);
      mayBeMore = added.length === counts.reduce((sum, count) => sum + count, 0);
    }
  };

  return async (limit, waitMs, signal) => {
    if (signal.aborted) return [];
    const first = await polls.poll(Math.min(limit, batchMax), waitSeconds(waitMs), signal);
    const received = [...first];
    if (received.length === batchMax) await addRest(received, limit, signal);
    if (holdMs > 0 && received.length > 0 && received.length < limit) {
      await timers.sleep(holdMs, signal);
      await addRest(received, limit, signal);
    }
    return received.sort((a, b) => sqsReceiptOf(a).sentAt - sqsReceiptOf(b).sentAt);
  };
}

/** SQS lets a poll wait for whole seconds, twenty at most. */
function waitSeconds(waitMs: number): number {
  return Math.min(20, Math.floor(waitMs / 1000));
}

/** How many messages each of the next polls asks for. */
function pollCounts(wanted: number): number[] {
  const polls = Math.min(pollsMax, Math.ceil(wanted / batchMax));
  return Array.from({ length: polls }, (_, index) => Math.min(batchMax, wanted - index * batchMax));
}

const pollsMax = 8;
