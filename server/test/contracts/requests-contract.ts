import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import type { RequestId, UserId } from '../../src/domain/ids.ts';
import type { Request } from '../../src/domain/request.ts';
import { BadPosition, type Page, type PageRequest } from '../../src/ports/page.ts';
import type { Order } from '../../src/ports/requests.ts';
import { storedEvent } from './first-come-event.ts';
import { brokenStore, receiveOne, settleAll } from './receiving.ts';
import { enter, enterInTurn, storedRequest } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

export function requestsContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: requests`, () => {
    let tested: TestEngine;
    beforeEach(async () => {
      tested = await createEngine();
    });
    afterEach(() => tested.close());

    test('an unknown id has no request', async () => {
      expect(await tested.engine.requests.get(unknownId)).toBeUndefined();
      expect(await tested.engine.requests.logOf(unknownId)).toEqual([]);
    });

    describe.each([1, 8])('with %i index shards', (indexShards) => {
      let event: Event;
      let inQueueOrder: RequestId[];
      beforeEach(async () => {
        event = await storedEvent(tested, { indexShards });
        inQueueOrder = await enterInTurn(tested, event, 11);
        const other = await storedEvent(tested, { eventId: 'sale-2', indexShards });
        await enterInTurn(tested, other, 3, 'other');
      });

      const listed = (order: Order) => (page: PageRequest) =>
        tested.engine.requests.listByEvent(event, order, page);

      test.each([1, 4, 11, 100])('an event is listed in queue order, %i a page', async (limit) => {
        const requests = await allPages(limit, listed('asc'));
        expect(requests.map((request) => request.requestId)).toEqual(inQueueOrder);
      });

      test.each([1, 4, 11, 100])('and the other way round, %i a page', async (limit) => {
        const requests = await allPages(limit, listed('desc'));
        expect(requests.map((request) => request.requestId)).toEqual(inQueueOrder.toReversed());
      });

      test('the list shows requests as last written, and never moves them', async () => {
        await settleAll(tested, event);
        const requests = await allPages(4, listed('asc'));
        expect(requests.map((request) => request.requestId)).toEqual(inQueueOrder);
        for (const request of requests) {
          expect(request).toEqual(await storedRequest(tested, request.requestId));
        }
        expect(requests.map((request) => request.status)).toContain('SUCCEEDED');
      });

      test('who enters while somebody pages appears at the end', async () => {
        const first = await listed('asc')({ limit: 6, after: null });
        const late = await enter(tested, event, 'late');
        const rest = await listed('asc')({ limit: 100, after: first.next });
        const ids = [...first.items, ...rest.items].map((request) => request.requestId);
        expect(ids).toEqual([...inQueueOrder, late]);
      });

      test('a page that ends with the list has no next one', async () => {
        for (const order of ['asc', 'desc'] as const) {
          expect((await listed(order)({ limit: 11, after: null })).next).toBeNull();
          expect((await listed(order)({ limit: 10, after: null })).next).not.toBeNull();
        }
      });

      test('a position that was never given out is refused', async () => {
        await expect(listed('asc')({ limit: 2, after: 'nowhere' })).rejects.toBeInstanceOf(
          BadPosition,
        );
      });
    });

    test('a user sees all their requests and nobody else’s, the last queued first', async () => {
      const ids: RequestId[] = [];
      for (const eventId of ['e1', 'e2', 'e3', 'e4', 'e5']) {
        const event = await storedEvent(tested, { eventId });
        await enter(tested, event, 'ann-2');
        ids.push(await enter(tested, event, 'ann'));
        await enter(tested, event, 'an');
        await tested.advance(10);
      }
      for (const limit of [1, 2, 5, 50]) {
        const requests = await allPages(limit, (page) =>
          tested.engine.requests.listByUser('ann' as UserId, page),
        );
        expect(requests.map((request) => request.requestId)).toEqual(ids.toReversed());
      }
    });

    test('a user without requests has an empty list', async () => {
      const page = { limit: 10, after: null };
      const listed = await tested.engine.requests.listByUser('nobody' as UserId, page);
      expect(listed).toEqual({ items: [], next: null });
    });

    test('a position of another make is refused for a user’s list too', async () => {
      const page = { limit: 10, after: 'nowhere' };
      const listed = tested.engine.requests.listByUser('ann' as UserId, page);
      await expect(listed).rejects.toBeInstanceOf(BadPosition);
    });

    test('no admitted request is listed as never queued', async () => {
      const event = await storedEvent(tested);
      await enterInTurn(tested, event, 2);
      const page = { limit: 10, after: null };
      const failures = await tested.engine.requests.listEnqueueFailures(event, page);
      expect(failures).toEqual({ items: [], next: null });
    });

    test('the log keeps failed attempts apart and in order, also those of one millisecond', async () => {
      const event = await storedEvent(tested);
      const requestId = await enter(tested, event);
      const message = await receiveOne(tested);
      for (const errorCode of ['FIRST', 'SECOND', 'THIRD']) {
        const failure = { ...brokenStore, errorCode };
        await tested.engine.settlement.recordAttempt(message, failure, tested.now());
      }
      const log = await tested.engine.requests.logOf(requestId);
      const attempts = log.filter((change) => change.message !== null);
      expect(
        attempts.map((change) => /FIRST|SECOND|THIRD/.exec(change.message ?? '')?.[0]),
      ).toEqual(['FIRST', 'SECOND', 'THIRD']);
    });
  });
}

async function allPages(
  limit: number,
  list: (page: PageRequest) => Promise<Page<Request>>,
): Promise<Request[]> {
  const all: Request[] = [];
  let after: string | null = null;
  do {
    const page: Page<Request> = await list({ limit, after });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    all.push(...page.items);
    after = page.next;
  } while (after !== null);
  return all;
}

const unknownId = '019ca6b1-dc00-7000-8000-000000000000' as RequestId;
