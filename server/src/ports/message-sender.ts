import type { RequestReference } from './queue.ts';

export interface OutgoingMessage extends RequestReference {
  /** Sent again by an operator: when it was sent is not when the request was queued. */
  readonly redriven: boolean;
}

export interface MessageSender {
  /** Resolves when the queue has the message; it may have it twice, and deliver it more often. */
  send(message: OutgoingMessage): Promise<void>;
}
