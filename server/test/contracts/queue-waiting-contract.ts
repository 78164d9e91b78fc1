import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import type { Delivery } from '../../src/ports/queue.ts';
import { storedEvent } from './first-come-event.ts';
import { receiveOne } from './receiving.ts';
import { enter } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

/** The long poll: a receive that waits for messages. */
export function queueWaitingContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: waiting for messages`, () => {
    let tested: TestEngine;
    let event: Event;
    beforeEach(async () => {
      tested = await createEngine();
      event = await storedEvent(tested);
    });
    afterEach(() => tested.close());

    test('a waiting receive wakes up on arrival', async () => {
      const polled = poll(tested);
      const requestId = await enter(tested, event);
      expect(await polled).toMatchObject([{ requestId }]);
    });

    test('a waiting receive comes back empty when its time is over', async () => {
      const polled = poll(tested);
      expect(await whileAdvancing(tested, polled, tested.pollMs / 4)).toEqual([]);
    });

    test('a waiting receive wakes up when a visibility timeout passes', async () => {
      await enter(tested, event);
      await receiveOne(tested);
      const polled = poll(tested, 2 * tested.visibilityMs);
      const deliveries = await whileAdvancing(tested, polled, tested.visibilityMs / 3);
      expect(deliveries).toMatchObject([{ receiveCount: 2 }]);
    });

    test('a waiting receive ends at once when it is called off', async () => {
      const calledOff = new AbortController();
      const polled = tested.engine.queue.receive(10, tested.pollMs, calledOff.signal);
      calledOff.abort();
      expect(await polled).toEqual([]);
    });

    test('of two waiting receives one gets the message', async () => {
      const polled = [poll(tested), poll(tested)];
      await enter(tested, event);
      const all = Promise.all(polled);
      const batches = await whileAdvancing(tested, all, tested.pollMs / 4);
      expect(batches.map((batch) => batch.length).toSorted()).toEqual([0, 1]);
    });
  });
}

function poll(tested: TestEngine, waitMs = tested.pollMs): Promise<readonly Delivery[]> {
  return tested.engine.queue.receive(10, waitMs, new AbortController().signal);
}

/** Moves the clock on until the promise has its answer. */
async function whileAdvancing<Answer>(
  tested: TestEngine,
  promise: Promise<Answer>,
  stepMs: number,
): Promise<Answer> {
  let isOver = false;
  const over = promise.finally(() => {
    isOver = true;
  });
  while (!isOver) await tested.advance(stepMs);
  return over;
}
