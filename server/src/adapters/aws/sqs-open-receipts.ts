import type { Clock } from '../../ports/clock.ts';
import type { Delivery } from '../../ports/queue.ts';
import { type SqsReceipt, sqsReceiptOf } from './sqs-receipt.ts';

export interface SqsOpenReceipts {
  add(deliveries: readonly Delivery[]): void;
  /** The receipts of these deliveries that are not void, each once. */
  among(deliveries: readonly Delivery[]): SqsReceipt[];
  close(receipt: SqsReceipt): void;
  oldestSentAt(): number | undefined;
}

/**
 * The deliveries that this process has not finished. A receipt is void here once it was used or
 * its visibility timeout is over: SQS itself would let a backed-off message be given back, and a
 * message that is visible again be deleted.
 */
export function createSqsOpenReceipts(clock: Clock, visibilityMs: number): SqsOpenReceipts {
  const voidAt = new Map<SqsReceipt, number>();

  const forgetVoid = (): void => {
    for (const [receipt, at] of voidAt) {
      if (at > clock.now()) return;
      voidAt.delete(receipt);
    }
  };

  return {
    add(deliveries) {
      forgetVoid();
      const at = clock.now() + visibilityMs;
      for (const delivery of deliveries) voidAt.set(sqsReceiptOf(delivery), at);
    },
    among(deliveries) {
      forgetVoid();
      return [...new Set(deliveries.map(sqsReceiptOf))].filter((receipt) => voidAt.has(receipt));
    },
    close(receipt) {
      voidAt.delete(receipt);
    },
    oldestSentAt() {
      forgetVoid();
      let oldest: number | undefined;
      for (const { sentAt } of voidAt.keys()) oldest = Math.min(sentAt, oldest ?? sentAt);
      return oldest;
    },
  };
}
