import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import { storedEvent } from './first-come-event.ts';
import { receiveMessages, receiveNow, receiveOne } from './receiving.ts';
import { enter, enterInTurn } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

/** Receiving, receipts and depth. Waiting, order and dead letters have suites of their own. */
export function queueContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: queue`, () => {
    let tested: TestEngine;
    let event: Event;
    beforeEach(async () => {
      tested = await createEngine();
      event = await storedEvent(tested);
    });
    afterEach(() => tested.close());

    test('every admitted request is delivered once, no more than asked for at a time', async () => {
      const ids = await enterInTurn(tested, event, 7);
      const delivered: string[] = [];
      for (;;) {
        const messages = await receiveMessages(tested, 3);
        if (messages.length === 0) break;
        expect(messages.length).toBeLessThanOrEqual(3);
        delivered.push(...messages.map((message) => message.requestId));
        await tested.engine.queue.acknowledge(messages);
      }
      expect(delivered.toSorted()).toEqual(ids);
    });

    test('a message says whose it is and that this is its first delivery', async () => {
      const requestId = await enter(tested, event);
      const message = await receiveOne(tested);
      expect(message).toMatchObject({ eventId: event.eventId, requestId, receiveCount: 1 });
    });

    test('a delivered message is nobody else’s until its visibility timeout', async () => {
      await enter(tested, event);
      await receiveOne(tested);
      await tested.advance(tested.visibilityMs - 1);
      expect(await receiveNow(tested)).toEqual([]);
      await tested.advance(1);
      expect(await receiveNow(tested)).toMatchObject([{ receiveCount: 2 }]);
    });

    test('an acknowledged message never comes back, also after a restart', async () => {
      await enterInTurn(tested, event, 3);
      const messages = await receiveMessages(tested);
      await tested.engine.queue.acknowledge(messages);
      await tested.advance(tested.visibilityMs);
      expect(await receiveNow(tested)).toEqual([]);
      await tested.restart();
      expect(await receiveNow(tested)).toEqual([]);
    });

    test('acknowledging a part leaves the rest', async () => {
      const ids = await enterInTurn(tested, event, 3);
      const messages = await receiveMessages(tested);
      await tested.engine.queue.acknowledge(messages.slice(0, 1));
      await tested.advance(tested.visibilityMs);
      const left = await receiveMessages(tested);
      expect(left.map((message) => message.requestId)).toEqual(ids.slice(1));
    });

    test('a backed-off message comes back after the delay, counted', async () => {
      await enter(tested, event);
      await tested.engine.queue.backOff(await receiveOne(tested), 1000);
      await tested.advance(999);
      expect(await receiveNow(tested)).toEqual([]);
      await tested.advance(1);
      expect(await receiveNow(tested)).toMatchObject([{ receiveCount: 2 }]);
    });

    test('a message given back is visible at once', async () => {
      await enter(tested, event);
      await tested.engine.queue.giveBack([await receiveOne(tested)]);
      expect(await receiveNow(tested)).toHaveLength(1);
    });

    test('a delivery that was given back does not count where that can be helped', async () => {
      if (tested.countsWhatIsGivenBack) return;
      await enter(tested, event);
      for (let time = 0; time < tested.receivesMax + 2; time += 1) {
        const message = await receiveOne(tested);
        expect(message.receiveCount).toBe(1);
        await tested.engine.queue.giveBack([message]);
      }
      expect(await tested.engine.deadLetters.depth()).toBe(0);
    });

    test('after redelivery the old receipt changes nothing', async () => {
      await enter(tested, event);
      const old = await receiveOne(tested);
      await tested.advance(tested.visibilityMs);
      const current = await receiveOne(tested);

      await tested.engine.queue.acknowledge([old]);
      await tested.engine.queue.backOff(old, 0);
      await tested.engine.queue.giveBack([old]);

      expect(await receiveNow(tested)).toEqual([]);
      await tested.advance(tested.visibilityMs);
      const [again] = await receiveNow(tested);
      expect(again?.receiveCount).toBe(current.receiveCount + 1);
    });

    test('a receipt that was used changes nothing more', async () => {
      await enter(tested, event);
      const message = await receiveOne(tested);
      await tested.engine.queue.giveBack([message]);
      await tested.engine.queue.acknowledge([message]);
      await tested.engine.queue.giveBack([message]);
      const receiveCount = tested.countsWhatIsGivenBack ? 2 : 1;
      expect(await receiveNow(tested)).toMatchObject([{ receiveCount }]);
    });

    test('one message named twice in a call is acknowledged once', async () => {
      const ids = await enterInTurn(tested, event, 3);
      const message = await receiveOne(tested);
      await tested.engine.queue.acknowledge([message, message]);
      expect(await tested.engine.queue.depth()).toMatchObject({ waiting: 2, inFlight: 0 });
      const left = await receiveMessages(tested);
      expect(left.map(({ requestId }) => requestId)).toEqual(ids.slice(1));
    });

    test('what was in flight is delivered again after a restart, counted', async () => {
      await enter(tested, event);
      await receiveOne(tested);
      await tested.restart();
      await tested.advance(tested.visibilityMs);
      expect(await receiveNow(tested)).toMatchObject([{ receiveCount: 2 }]);
    });

    test('something that is no message of ours is handed over as such and can be dropped', async () => {
      await tested.putUndecodableMessage(event.eventId);
      const [delivery, ...others] = await receiveNow(tested);
      expect(delivery?.kind).toBe('undecodable');
      expect(others).toEqual([]);
      await tested.engine.queue.acknowledge(delivery === undefined ? [] : [delivery]);
      await tested.advance(tested.visibilityMs);
      expect(await receiveNow(tested)).toEqual([]);
      expect(await tested.engine.deadLetters.depth()).toBe(0);
    });
  });
}
