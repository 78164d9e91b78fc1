import type { EventId, MessageId, RequestId } from '../domain/ids.ts';

export interface RequestReference {
  readonly eventId: EventId;
  readonly requestId: RequestId;
}

export interface Message extends RequestReference {
  readonly kind: 'participation';
  readonly messageId: MessageId;
  readonly receiveCount: number;
  readonly receipt: Receipt;
}

/** Something in the queue that is no message of ours. */
export interface UndecodableMessage {
  readonly kind: 'undecodable';
  readonly messageId: MessageId;
  /** Whose message it was, if that can still be told. */
  readonly request: RequestReference | null;
  readonly receiveCount: number;
  readonly receipt: Receipt;
}

export type Delivery = Message | UndecodableMessage;

/** Proof of one delivery; void once the message became visible again. Only the engine reads it. */
export type Receipt = object;

export interface QueueDepth {
  readonly waiting: number;
  readonly inFlight: number;
  readonly oldestAgeMs: number;
}

export interface Queue {
  /**
   * True when an event's messages are delivered oldest first and never while earlier ones of the
   * same event are in flight or backing off.
   */
  readonly keepsOrder: boolean;
  /**
   * Waits up to `waitMs` for messages. Each delivery is counted; undelivered to anyone else until
   * the visibility timeout. One received as often as allowed becomes a dead letter instead, and
   * its request, if not final, FAILED_FINAL / RETRYABLE.
   */
  receive(limit: number, waitMs: number, signal: AbortSignal): Promise<readonly Delivery[]>;
  /** Done with them: they will not be delivered again. A void receipt changes nothing. */
  acknowledge(deliveries: readonly Delivery[]): Promise<void>;
  /** Visible again after the delay; the delivery stays counted. */
  backOff(delivery: Delivery, delayMs: number): Promise<void>;
  /** Not handled: visible at once, and the delivery does not count where the engine can help it. */
  giveBack(deliveries: readonly Delivery[]): Promise<void>;
  depth(): Promise<QueueDepth>;
}
