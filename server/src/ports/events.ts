import type { Capacity } from '../domain/capacity.ts';
import type { Event } from '../domain/event.ts';
import type { EventId } from '../domain/ids.ts';
import type { Page, PageRequest } from './page.ts';

export interface Events {
  /** Stores the event together with its capacity. An id that exists changes nothing. */
  create(event: Event): Promise<'created' | 'exists'>;
  get(eventId: EventId): Promise<Event | undefined>;
  /** In order of the ids. */
  list(page: PageRequest): Promise<Page<Event>>;
  /**
   * Stores `after` if `before` is still what is stored. A raised capacityTotal raises the capacity
   * in the same step, unless the event is sold out: then nothing changes.
   */
  replace(before: Event, after: Event): Promise<'replaced' | 'changed-meanwhile' | 'sold-out'>;
  capacityOf(eventId: EventId): Promise<Capacity | undefined>;
}
