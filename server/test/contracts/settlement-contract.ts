import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { storedEvent } from './first-come-event.ts';
import { badContent, receiveMessages, receiveOne, settleAll, settleNow } from './receiving.ts';
import { enter, enterInTurn, storedRequest } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

/** Who wins and who does not. */
export function settlementContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: settlement`, () => {
    let tested: TestEngine;
    beforeEach(async () => {
      tested = await createEngine();
    });
    afterEach(() => tested.close());

    const statuses = (ids: readonly RequestId[]) =>
      Promise.all(ids.map(async (id) => (await storedRequest(tested, id)).status));
    const capacityOf = (event: Event) => tested.engine.events.capacityOf(event.eventId);

    test.each([
      [0, 3],
      [2, 3],
      [3, 3],
      [4, 3],
      [25, 7],
    ])('of %i entrants and %i places exactly the first win', async (entrants, places) => {
      const event = await storedEvent(tested, { capacityTotal: places });
      const ids = await enterInTurn(tested, event, entrants);
      await settleAll(tested, event, 4);

      const winners = Math.min(entrants, places);
      expect(await statuses(ids)).toEqual([
        ...Array.from({ length: winners }, () => 'SUCCEEDED'),
        ...Array.from({ length: entrants - winners }, () => 'REJECTED'),
      ]);
      expect((await capacityOf(event))?.capacityRemaining).toBe(places - winners);
      await tested.restart();
      expect((await capacityOf(event))?.capacityRemaining).toBe(places - winners);
    });

    test('an event without places rejects everybody', async () => {
      const event = await storedEvent(tested, { capacityTotal: 0 });
      const ids = await enterInTurn(tested, event, 2);
      await settleAll(tested, event);
      expect(await statuses(ids)).toEqual(['REJECTED', 'REJECTED']);
    });

    test('each outcome tells the result, the times and the place in the queue', async () => {
      const event = await storedEvent(tested, { capacityTotal: 1 });
      const [winner, loser] = await enterInTurn(tested, event, 2);
      const messages = await receiveMessages(tested);
      const [startedAt, finishedAt] = [tested.now() + 3, tested.now() + 5];
      const outcomes = await tested.engine.settlement.settle(
        event,
        messages,
        startedAt,
        finishedAt,
      );

      const times = { startedAt, finishedAt };
      expect(outcomes).toMatchObject([
        { kind: 'settled', progress: { status: 'SUCCEEDED', resultCode: 'SUCCESS', ...times } },
        {
          kind: 'settled',
          progress: { status: 'REJECTED', resultCode: 'REJECTED_CAPACITY', ...times },
        },
      ]);
      for (const [index, id] of [winner, loser].entries()) {
        const outcome = outcomes[index];
        const request = id && (await storedRequest(tested, id));
        if (outcome?.kind !== 'settled') continue;
        expect(request).toMatchObject({ ...outcome.progress, queuedAt: outcome.queuedAt });
      }
    });

    test('sold out is said from the first rejection for capacity on, not before', async () => {
      const event = await storedEvent(tested, { capacityTotal: 1 });
      await enterInTurn(tested, event, 3);
      await settleNow(tested, event, await receiveMessages(tested, 1));
      expect(await capacityOf(event)).toMatchObject({ capacityRemaining: 0, soldOutAt: null });

      const soldOutAt = tested.now() + 10;
      await tested.advance(10);
      await settleNow(tested, event, await receiveMessages(tested, 1));
      expect(await capacityOf(event)).toMatchObject({ soldOutAt });
      await tested.advance(10);
      await settleNow(tested, event, await receiveMessages(tested, 1));
      expect(await capacityOf(event)).toMatchObject({ soldOutAt });
    });

    test('who was queued after the end is turned away and takes no place', async () => {
      const event = await storedEvent(tested, {
        capacityTotal: 5,
        closesAt: tested.now() + 1000,
      });
      const inTime = await enter(tested, event, 'in-time');
      await tested.advance(1000);
      const lastMoment = await enter(tested, event, 'last-moment');
      await tested.advance(1);
      const late = await enter(tested, event, 'late');
      await settleAll(tested, event);

      const { queuedAt } = await storedRequest(tested, lastMoment);
      const isLate = (queuedAt ?? 0) > event.closesAt;
      expect(await statuses([inTime, late])).toEqual(['SUCCEEDED', 'REJECTED']);
      expect((await storedRequest(tested, late)).resultCode).toBe('REJECTED_CLOSED');
      expect(await statuses([lastMoment])).toEqual([isLate ? 'REJECTED' : 'SUCCEEDED']);
      expect(await capacityOf(event)).toMatchObject({
        capacityRemaining: isLate ? 4 : 3,
        soldOutAt: null,
      });
    });

    test('a batch of people who waited very differently is settled as any other', async () => {
      const event = await storedEvent(tested, { capacityTotal: 100 });
      const ids: RequestId[] = [];
      for (let index = 0; index < 45; index += 1) {
        ids.push(await enter(tested, event, `user-${index}`));
        await tested.advance(300);
      }
      const messages = await receiveMessages(tested, 45);
      const now = tested.now();
      await tested.engine.settlement.settle(event, messages, now, now + 1000);
      expect(new Set(await statuses(ids))).toEqual(new Set(['SUCCEEDED']));
    });

    test('who has an end already is left untouched', async () => {
      const event = await storedEvent(tested, { capacityTotal: 1 });
      const failed = await enter(tested, event, 'failed');
      const winner = await enter(tested, event, 'winner');
      const messages = await receiveMessages(tested);
      const now = tested.now();
      const reference = { eventId: event.eventId, requestId: failed };
      await tested.engine.settlement.fail(reference, 'FAILED_WORKER', badContent, now, now);
      const before = await storedRequest(tested, failed);
      await tested.advance(5);

      const outcomes = await settleNow(tested, event, messages);

      expect(outcomes[0]).toMatchObject({ kind: 'final', progress: { status: 'FAILED_FINAL' } });
      expect(await storedRequest(tested, failed)).toEqual(before);
      expect(await statuses([winner])).toEqual(['SUCCEEDED']);
    });

    test('a redelivered message never wins twice', async () => {
      const event = await storedEvent(tested, { capacityTotal: 2 });
      const requestId = await enter(tested, event);
      const first = await receiveOne(tested);
      await tested.advance(tested.visibilityMs);
      const second = await receiveOne(tested);

      await settleNow(tested, event, [first]);
      const won = await storedRequest(tested, requestId);
      await tested.advance(7);
      expect(await settleNow(tested, event, [second])).toMatchObject([{ kind: 'final' }]);

      expect(await storedRequest(tested, requestId)).toEqual(won);
      expect((await capacityOf(event))?.capacityRemaining).toBe(1);
      await tested.advance(tested.visibilityMs);
      expect(await receiveMessages(tested)).toEqual([]);
    });

    test('one message twice in a batch takes one place', async () => {
      const event = await storedEvent(tested, { capacityTotal: 3 });
      await enterInTurn(tested, event, 2);
      const message = await receiveOne(tested);

      await settleNow(tested, event, [message, message]);

      expect((await capacityOf(event))?.capacityRemaining).toBe(2);
      expect(await tested.engine.queue.depth()).toMatchObject({ waiting: 1, inFlight: 0 });
      expect(await receiveMessages(tested)).toHaveLength(1);
    });

    test('a message without a request has no effect', async () => {
      const event = await storedEvent(tested, { capacityTotal: 1 });
      await enter(tested, event);
      const message = await receiveOne(tested);
      const { queue, settlement } = tested.engine;
      await queue.acknowledge([message]);
      const requestId = '019ca6b1-dc00-7fff-bfff-ffffffffffff' as RequestId;
      const stray = { ...message, requestId, receipt: {} };

      const outcomes = await settlement.settle(event, [stray], tested.now(), tested.now());

      expect(outcomes).toEqual([{ kind: 'missing' }]);
      expect((await capacityOf(event))?.capacityRemaining).toBe(1);
    });
  });
}
