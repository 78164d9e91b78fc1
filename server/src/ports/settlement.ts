import type { Event } from '../domain/event.ts';
import type { Failure, Progress, ResultCode } from '../domain/request.ts';
import type { Message, RequestReference } from './queue.ts';

export type Settled =
  | { readonly kind: 'settled'; readonly queuedAt: number; readonly progress: Progress }
  /** It had its end already; nothing changed. */
  | { readonly kind: 'final'; readonly progress: Progress }
  | { readonly kind: 'missing' }
  /** An older request of the event is not settled yet: try again, it costs no attempt. */
  | { readonly kind: 'behind' };

export interface Settlement {
  /**
   * Settles an event's messages in the order given, which is queue order, one outcome each.
   * Capacity and the requests that it pays for change together or not at all, and each request
   * once. Durable when it answers; an engine may acknowledge the messages in the same step.
   */
  settle(
    event: Event,
    messages: readonly Message[],
    startedAt: number,
    finishedAt: number,
  ): Promise<readonly Settled[]>;

  /** Ends a request that is not final yet as FAILED_FINAL. */
  fail(
    request: RequestReference,
    resultCode: ResultCode,
    failure: Failure,
    startedAt: number,
    finishedAt: number,
  ): Promise<Settled>;

  /** Leaves a request PROCESSING (its first startedAt kept) and logs the failed attempt. */
  recordAttempt(message: Message, failure: Failure, startedAt: number): Promise<void>;
}
