import type { Event } from '../domain/event.ts';
import type { RequestId, UserId } from '../domain/ids.ts';
import type { Failure } from '../domain/request.ts';

export interface Entrant {
  readonly requestId: RequestId;
  readonly userId: UserId;
  readonly requestedAt: number;
}

/** Each leaves a request that is already further as it is: steps may be repeated by anybody. */
export interface AdmissionSteps {
  /** Stores it as RECEIVED. */
  receive(event: Event, entrant: Entrant): Promise<void>;
  /**
   * RECEIVED to QUEUED; from here on it is listed, at the place that queuedAt gives it. The time is
   * asked for when the write goes out.
   */
  markQueued(event: Event, entrant: Entrant, queuedAt: () => number): Promise<void>;
  /** RECEIVED to FAILED_FINAL; operators find it among the enqueue failures. */
  failEnqueue(event: Event, entrant: Entrant, failure: Failure, finishedAt: number): Promise<void>;
}
