import type { Event } from '../domain/event.ts';
import type { RequestId, UserId } from '../domain/ids.ts';
import type { Request } from '../domain/request.ts';
import type { StatusChange } from '../domain/timeline.ts';
import type { Page, PageRequest, Position } from './page.ts';

export type Order = 'asc' | 'desc';

export interface Requests {
  /** The request as last written. */
  get(requestId: RequestId): Promise<Request | undefined>;
  /** One user's queued requests, the last queued first. */
  listByUser(userId: UserId, page: PageRequest): Promise<Page<Request>>;
  /** An event's queued requests in queue order, merged over all its index shards. */
  listByEvent(event: Event, order: Order, page: PageRequest): Promise<Page<Request>>;
  /** Where the event's list goes on after this request. */
  positionAfter(request: Request): Position;
  /** Requests that never reached the queue, the last failed first. */
  listEnqueueFailures(event: Event, page: PageRequest): Promise<Page<Request>>;
  /** What was logged about a request, oldest first; at most 100 entries are kept to be read. */
  logOf(requestId: RequestId): Promise<readonly StatusChange[]>;
}
