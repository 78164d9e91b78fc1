import { invariant } from '../../domain/invariant.ts';
import type { Delivery } from '../../ports/queue.ts';

/** What the queue and the settlement know of one delivery beyond its message. */
export class SqsReceipt {
  readonly handle: string;
  /** SQS's SentTimestamp. Of a redriven message it says nothing about the request. */
  readonly sentAt: number;
  readonly redriven: boolean;

  constructor(handle: string, sentAt: number, redriven: boolean) {
    this.handle = handle;
    this.sentAt = sentAt;
    this.redriven = redriven;
  }
}

export function sqsReceiptOf({ receipt }: Pick<Delivery, 'receipt'>): SqsReceipt {
  invariant(receipt instanceof SqsReceipt, 'A receipt goes back to the engine that gave it.');
  return receipt;
}
