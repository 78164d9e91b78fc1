import type { Event } from '../domain/event.ts';
import type { EventId, RequestId, UserId } from '../domain/ids.ts';

export interface Locks {
  /** Takes a user's lock for a request; answers the request that holds it now, this or an earlier. */
  take(event: Event, userId: UserId, requestId: RequestId, createdAt: number): Promise<RequestId>;
  find(eventId: EventId, userId: UserId): Promise<RequestId | undefined>;
}
