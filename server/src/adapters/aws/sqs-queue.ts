import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Delivery, Queue } from '../../ports/queue.ts';
import type { Timers } from '../../ports/timers.ts';
import { translated } from './aws-faults.ts';
import type { BatchCall, CallInBatches } from './sqs-batches.ts';
import { createSqsDepth } from './sqs-depth.ts';
import { createSqsOpenReceipts } from './sqs-open-receipts.ts';
import { createSqsPolls } from './sqs-polls.ts';
import type { SqsReceipt } from './sqs-receipt.ts';
import { createSqsReceive } from './sqs-receive.ts';
import { isVoidReceipt, takingVoidAsDone } from './sqs-void-receipts.ts';

export interface SqsQueue extends Queue {
  /** After receives were called off: resolves when SQS can no longer hand them anything. */
  drained(): Promise<void>;
}

/**
 * SQS moves dead letters by itself, and counts a delivery that is given back. It does not tell how
 * old its oldest message is: `depth` goes by the oldest that this process holds, 0 if it holds none.
 */
export function createSqsQueue(
  sqs: SQSClient,
  queueUrl: string,
  callInBatches: CallInBatches,
  clock: Clock,
  timers: Timers,
  logger: Logger,
  options: { readonly visibilityMs: number; readonly holdMs: number },
): SqsQueue {
  const visibilitySeconds = wholeSeconds(options.visibilityMs);
  const receipts = createSqsOpenReceipts(clock, visibilitySeconds * 1000);

  const finish = async (
    deliveries: readonly Delivery[],
    call: BatchCall<SqsReceipt>,
  ): Promise<void> => {
    const open = receipts.among(deliveries);
    const failures = await callInBatches(open, async (batch) =>
      takingVoidAsDone(await call(batch)),
    );
    for (const receipt of open) if (!failures.has(receipt)) receipts.close(receipt);
    for (const fault of failures.values()) throw fault;
  };

  const giveBack = (deliveries: readonly Delivery[]): Promise<void> =>
    finish(deliveries, (batch) => {
      const entries = batch.map((receipt, index) => ({
        ...entryOf(receipt, index),
        VisibilityTimeout: 0,
      }));
      const input = { QueueUrl: queueUrl, Entries: entries };
      return sqs.send(new ChangeMessageVisibilityBatchCommand(input));
    });

  const polls = createSqsPolls(sqs, queueUrl, visibilitySeconds, receipts.add, giveBack, logger);
  const counts = createSqsDepth(sqs, queueUrl, clock);

  return {
    keepsOrder: false,
    receive: createSqsReceive(polls, timers, options.holdMs),
    giveBack,
    drained: polls.drained,

    acknowledge(deliveries) {
      return finish(deliveries, (batch) => {
        const input = { QueueUrl: queueUrl, Entries: batch.map(entryOf) };
        return sqs.send(new DeleteMessageBatchCommand(input));
      });
    },

    async backOff(delivery, delayMs) {
      // From its receive on a message is hidden for 12 hours at most.
      const delaySecondsMax = hiddenSecondsMax - visibilitySeconds;
      const delaySeconds = Math.min(delaySecondsMax, wholeSeconds(delayMs));
      for (const receipt of receipts.among([delivery])) {
        const command = new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl,
          ReceiptHandle: receipt.handle,
          VisibilityTimeout: delaySeconds,
        });
        await translated('SQS', sqs.send(command).catch(ignoreVoidReceipt));
        receipts.close(receipt);
      }
    },

    async depth() {
      const oldest = receipts.oldestSentAt();
      const now = clock.now();
      return { ...(await counts()), oldestAgeMs: Math.max(0, now - (oldest ?? now)) };
    },
  };
}

const hiddenSecondsMax = 12 * 60 * 60;

function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

function entryOf({ handle }: SqsReceipt, index: number) {
  return { Id: String(index), ReceiptHandle: handle };
}

function ignoreVoidReceipt(error: unknown): void {
  if (!(error instanceof Error && isVoidReceipt(error.name))) throw error;
}
