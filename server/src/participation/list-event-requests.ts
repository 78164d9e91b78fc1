import { type Refused, refused } from '../domain/errors.ts';
import type { EventId } from '../domain/ids.ts';
import type { Request, ResultCode, Status } from '../domain/request.ts';
import type { Events } from '../ports/events.ts';
import type { Page, PageRequest, Position } from '../ports/page.ts';
import type { Order, Requests } from '../ports/requests.ts';
import type { Timers } from '../ports/timers.ts';

export interface RequestFilter {
  readonly status?: Status | undefined;
  readonly resultCode?: ResultCode | undefined;
  readonly order: Order;
  readonly isQueued: boolean;
}

export type ListedRequests = ({ readonly kind: 'listed' } & Page<Request>) | Refused;

/**
 * An event's requests in queue order. The index knows no status, so a filter is applied here while
 * reading on; a page may come back short, with a position, rather than read without bound.
 */
export function createListEventRequests(events: Events, requests: Requests, timers: Timers) {
  return async (
    eventId: EventId,
    filter: RequestFilter,
    page: PageRequest,
  ): Promise<ListedRequests> => {
    const event = await events.get(eventId);
    if (event === undefined) return refused('EVENT_NOT_FOUND');
    if (!filter.isQueued) {
      return { kind: 'listed', ...(await requests.listEnqueueFailures(event, page)) };
    }
    const isFiltered = filter.status !== undefined || filter.resultCode !== undefined;
    const items: Request[] = [];
    let after: Position | null = page.after;
    for (let readCount = 0; readCount < readMax; readCount += sliceMax) {
      const limit = isFiltered ? sliceMax : page.limit;
      const slice: Page<Request> = await requests.listByEvent(event, filter.order, {
        limit,
        after,
      });
      for (const request of slice.items) {
        if (!matches(filter, request)) continue;
        items.push(request);
        if (items.length === page.limit) {
          const isLast = request === slice.items.at(-1) && slice.next === null;
          return { kind: 'listed', items, next: isLast ? null : requests.positionAfter(request) };
        }
      }
      if (slice.next === null) return { kind: 'listed', items, next: null };
      after = slice.next;
      await timers.sleep(0);
    }
    return { kind: 'listed', items, next: after };
  };
}

function matches({ status, resultCode }: RequestFilter, request: Request): boolean {
  if (status !== undefined && request.status !== status) return false;
  return resultCode === undefined || request.resultCode === resultCode;
}

/** A slice keeps the event loop busy for about a millisecond, a whole call for under 100. */
const sliceMax = 500;
const readMax = 50_000;
