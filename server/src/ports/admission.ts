import type { Event } from '../domain/event.ts';
import type { RequestId, UserId } from '../domain/ids.ts';

export interface Admission {
  /**
   * Takes the lock, stores the request and puts it into the queue. Answers only when all of it
   * would survive a crash. A user who already takes part gets the first request again and changes
   * nothing. Throws a retryable Fault when nothing was kept.
   */
  admit(event: Event, userId: UserId, requestedAt: number): Promise<Admitted>;

  /** The request by which this user takes part, as durable as an admission's answer. */
  find(event: Event, userId: UserId): Promise<RequestId | undefined>;
}

export interface Admitted {
  readonly kind: 'accepted' | 'duplicate';
  readonly requestId: RequestId;
}
