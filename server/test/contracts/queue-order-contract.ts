import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import { storedEvent } from './first-come-event.ts';
import { receiveMessages, receiveOne } from './receiving.ts';
import { enter, enterInTurn } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

/** What only an engine that keeps order promises; on any other there is nothing to check. */
export function queueOrderContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: order of the queue`, () => {
    let tested: TestEngine;
    let event: Event;
    beforeEach(async () => {
      tested = await createEngine();
      event = await storedEvent(tested);
    });
    afterEach(() => tested.close());

    const orderedTest = (promise: string, run: () => Promise<void>): void => {
      test(promise, async () => {
        if (tested.engine.queue.keepsOrder) await run();
      });
    };

    const received = async (limit: number): Promise<string[]> => {
      const messages = await receiveMessages(tested, limit);
      return messages.map((message) => message.requestId);
    };

    orderedTest('an event’s messages are delivered oldest first', async () => {
      const ids = await enterInTurn(tested, event, 5);
      const deliveries = await tested.engine.queue.receive(3, 0, new AbortController().signal);
      const delivered = deliveries.flatMap((delivery) =>
        delivery.kind === 'participation' ? [delivery.requestId] : [],
      );
      expect(delivered).toEqual(ids.slice(0, 3));
    });

    orderedTest('nobody gets a second batch of an event while one is in flight', async () => {
      const ids = await enterInTurn(tested, event, 4);
      const first = await receiveMessages(tested, 2);
      expect(await received(2)).toEqual([]);
      await tested.engine.queue.acknowledge(first.slice(0, 1));
      expect(await received(2)).toEqual([]);
      await tested.engine.queue.acknowledge(first.slice(1));
      expect(await received(2)).toEqual(ids.slice(2));
    });

    orderedTest('events are delivered side by side', async () => {
      const other = await storedEvent(tested, { eventId: 'other' });
      const [mine] = await enterInTurn(tested, event, 2);
      const [others] = await enterInTurn(tested, other, 2);
      const batches = [await received(1), await received(1), await received(1)];
      expect(batches.flat().toSorted()).toEqual([mine, others].toSorted());
    });

    orderedTest('a busy event does not keep the others waiting', async () => {
      await enterInTurn(tested, event, 20);
      const other = await storedEvent(tested, { eventId: 'other' });
      const last = await enter(tested, other, 'last');
      const seen: string[] = [];
      for (let turn = 0; turn < 2; turn += 1) {
        const messages = await receiveMessages(tested, 1);
        seen.push(...messages.map((message) => message.requestId));
        await tested.engine.queue.acknowledge(messages);
      }
      expect(seen).toContain(last);
    });

    orderedTest('a message that backs off holds those behind it', async () => {
      const ids = await enterInTurn(tested, event, 3);
      await tested.engine.queue.backOff(await receiveOne(tested), 1000);
      expect(await received(3)).toEqual([]);
      await tested.advance(1000);
      expect(await received(3)).toEqual(ids);
    });

    orderedTest('who arrives while a batch is in flight waits for it', async () => {
      await enter(tested, event, 'early');
      const [early] = await receiveMessages(tested);
      const late = await enter(tested, event, 'late');
      expect(await received(1)).toEqual([]);
      await tested.engine.queue.acknowledge(early === undefined ? [] : [early]);
      expect(await received(1)).toEqual([late]);
    });

    orderedTest('a waiting receive wakes up when the batch in flight is done', async () => {
      const ids = await enterInTurn(tested, event, 2);
      const first = await receiveMessages(tested, 1);
      const polled = tested.engine.queue.receive(1, 20_000, new AbortController().signal);
      await tested.engine.queue.acknowledge(first);
      expect(await polled).toMatchObject([{ requestId: ids[1] }]);
    });

    orderedTest('several receives at once share the events, no message twice', async () => {
      for (const eventId of ['e1', 'e2', 'e3']) {
        await enterInTurn(tested, await storedEvent(tested, { eventId }), 2);
      }
      const batches = await Promise.all(Array.from({ length: 5 }, () => received(10)));
      expect(batches.map((batch) => batch.length).toSorted()).toEqual([0, 0, 2, 2, 2]);
      expect(new Set(batches.flat()).size).toBe(6);
    });
  });
}
