import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedEvent } from '../../test/contracts/first-come-event.ts';
import { settleAll } from '../../test/contracts/receiving.ts';
import { enterInTurn } from '../../test/contracts/taking-part.ts';
import {
  type EmbeddedTestEngine,
  openEmbeddedTestEngine,
} from '../../test/support/embedded-engine.ts';
import type { Event } from '../domain/event.ts';
import type { EventId, RequestId, UserId } from '../domain/ids.ts';
import { createListEventRequests, type RequestFilter } from './list-event-requests.ts';

const everything: RequestFilter = { order: 'asc', isQueued: true };

describe('listing an event’s requests', () => {
  let tested: EmbeddedTestEngine;
  let event: Event;
  let list: ReturnType<typeof createListEventRequests>;
  beforeEach(async () => {
    tested = await openEmbeddedTestEngine();
    const { events, requests } = tested.engine;
    list = createListEventRequests(events, requests, tested.timers);
    event = await storedEvent(tested, { capacityTotal: 3, indexShards: 4 });
  });
  afterEach(() => tested.close());

  const pagesOf = async (filter: RequestFilter, limit: number): Promise<RequestId[][]> => {
    const pages: RequestId[][] = [];
    let after: string | null = null;
    do {
      const listed = await list(event.eventId, filter, { limit, after });
      if (listed.kind === 'refused') throw new Error(listed.code);
      pages.push(listed.items.map((request) => request.requestId));
      after = listed.next;
    } while (after !== null);
    return pages;
  };

  test.each([1, 3, 4, 7, 100])(
    'without a filter they come in queue order, %i a page',
    async (limit) => {
      const ids = await enterInTurn(tested, event, 7);
      expect((await pagesOf(everything, limit)).flat()).toEqual(ids);
      const newestFirst = { ...everything, order: 'desc' } as const;
      expect((await pagesOf(newestFirst, limit)).flat()).toEqual(ids.toReversed());
    },
  );

  test.each([1, 2, 3, 100])(
    'a filter leaves out the others and keeps the order, %i a page',
    async (limit) => {
      const ids = await enterInTurn(tested, event, 8);
      await settleAll(tested, event);
      const filters = [
        [{ status: 'SUCCEEDED' }, ids.slice(0, 3)],
        [{ resultCode: 'REJECTED_CAPACITY' }, ids.slice(3)],
        [{ status: 'SUCCEEDED', resultCode: 'REJECTED_CAPACITY' }, []],
        [{ status: 'QUEUED' }, []],
      ] as const;
      for (const [filter, expected] of filters) {
        const pages = await pagesOf({ ...everything, ...filter }, limit);
        expect(pages.flat()).toEqual(expected);
      }
    },
  );

  test('the last full page says that it is the last', async () => {
    await enterInTurn(tested, event, 4);
    expect(await pagesOf(everything, 2)).toHaveLength(2);
    const queuedOnly = { ...everything, status: 'QUEUED' } as const;
    expect(await pagesOf(queuedOnly, 2)).toHaveLength(2);
  });

  test('few among many are found, however many slices it takes', async () => {
    const { admission } = tested.engine;
    const users = Array.from({ length: 1200 }, (_, index) => `user-${index}` as UserId);
    await Promise.all(users.map((user) => admission.admit(event, user, tested.now())));
    const messages = await tested.engine.queue.receive(3, 0, new AbortController().signal);
    const decodable = messages.filter((message) => message.kind === 'participation');
    await tested.engine.settlement.settle(event, decodable, tested.now(), tested.now());
    const newestFirst = { ...everything, order: 'desc', status: 'SUCCEEDED' } as const;
    expect((await pagesOf(newestFirst, 10)).flat()).toHaveLength(3);
  });

  test('an unknown event is refused', async () => {
    const page = { limit: 5, after: null };
    const listed = await list('none' as EventId, everything, page);
    expect(listed).toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  test('those never queued are a list of their own', async () => {
    await enterInTurn(tested, event, 2);
    expect(await pagesOf({ ...everything, isQueued: false }, 5)).toEqual([[]]);
  });
});
