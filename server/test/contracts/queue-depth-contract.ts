import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import { storedEvent } from './first-come-event.ts';
import { receiveMessages } from './receiving.ts';
import { enterInTurn } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

/** For engines that know their queue exactly; SQS tells its depth by and by. */
export function queueDepthContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: depth of the queue`, () => {
    let tested: TestEngine;
    let event: Event;
    beforeEach(async () => {
      tested = await createEngine();
      event = await storedEvent(tested);
    });
    afterEach(() => tested.close());

    test('the depth tells what waits, what is in flight and how old the oldest is', async () => {
      expect(await tested.engine.queue.depth()).toEqual(depth(0, 0, 0));
      await enterInTurn(tested, event, 5);
      await tested.advance(40);
      expect(await tested.engine.queue.depth()).toEqual(depth(5, 0, 40));
      const messages = await receiveMessages(tested, 2);
      expect(await tested.engine.queue.depth()).toEqual(depth(3, 2, 40));
      await tested.engine.queue.acknowledge(messages);
      expect(await tested.engine.queue.depth()).toEqual(depth(3, 0, 40));
      await tested.restart();
      expect(await tested.engine.queue.depth()).toEqual(depth(3, 0, 40));
    });

    test('what is visible again counts as waiting', async () => {
      await enterInTurn(tested, event, 2);
      await receiveMessages(tested);
      await tested.advance(tested.visibilityMs);
      expect(await tested.engine.queue.depth()).toMatchObject({ waiting: 2, inFlight: 0 });
    });
  });
}

function depth(waiting: number, inFlight: number, oldestAgeMs: number) {
  return { waiting, inFlight, oldestAgeMs };
}
