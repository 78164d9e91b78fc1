import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { storedEvent } from './first-come-event.ts';
import {
  badContent,
  brokenStore,
  dropUntilDead,
  receiveMessages,
  receiveOne,
  settleNow,
} from './receiving.ts';
import { enterInTurn, storedRequest } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

/** An engine that cannot know a place answers null, always; one that can must be right. */
export function lineContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: line`, () => {
    let tested: TestEngine;
    let event: Event;
    beforeEach(async () => {
      tested = await createEngine();
      event = await storedEvent(tested, { capacityTotal: 2 });
    });
    afterEach(() => tested.close());

    const standingOf = async (requestId: RequestId) =>
      tested.engine.line.standingOf(await storedRequest(tested, requestId));

    const expectPositions = async (
      ids: readonly RequestId[],
      expected: readonly (number | null)[],
    ): Promise<void> => {
      const standings = await Promise.all(ids.map(standingOf));
      const positions = standings.map((standing) => standing.position);
      if (!tested.engine.queue.keepsOrder && positions.every((position) => position === null)) {
        return;
      }
      expect(positions).toEqual(expected);
    };

    test('a position is the number of people ahead, 0 is next', async () => {
      const ids = await enterInTurn(tested, event, 4);
      const other = await storedEvent(tested, { eventId: 'other' });
      const [otherId] = await enterInTurn(tested, other, 1);
      await expectPositions(ids, [0, 1, 2, 3]);
      await expectPositions(otherId === undefined ? [] : [otherId], [0]);
    });

    test('it moves up as people ahead are settled, and is null for those who are', async () => {
      const ids = await enterInTurn(tested, event, 4);
      await settleNow(tested, event, await receiveMessages(tested, 2));
      await expectPositions(ids, [null, null, 0, 1]);
      await tested.restart();
      await expectPositions(ids, [null, null, 0, 1]);
    });

    test('it moves up when somebody ahead fails for good', async () => {
      const ids = await enterInTurn(tested, event, 3);
      const message = await receiveOne(tested);
      const now = tested.now();
      const { settlement, queue } = tested.engine;
      await settlement.fail(message, 'FAILED_WORKER', badContent, now, now);
      await queue.acknowledge([message]);
      await expectPositions(ids, [null, 0, 1]);
    });

    test('it moves up when somebody ahead becomes a dead letter', async () => {
      const ids = await enterInTurn(tested, event, 3);
      await dropUntilDead(tested);
      await expectPositions(ids, [null, 0, 1]);
    });

    test('a request that is being processed has no position', async () => {
      const ids = await enterInTurn(tested, event, 2);
      const message = await receiveOne(tested);
      await tested.engine.settlement.recordAttempt(message, brokenStore, tested.now());
      await expectPositions(ids.slice(0, 1), [null]);
    });

    test('the time to go is unknown at first, then grows with the people ahead', async () => {
      const ids = await enterInTurn(tested, event, 6);
      for (const id of ids) expect((await standingOf(id)).etaMs).toBeNull();

      const messages = await receiveMessages(tested, 2);
      await tested.advance(100);
      await settleNow(tested, event, messages);

      const etas = await Promise.all(ids.slice(2).map(async (id) => (await standingOf(id)).etaMs));
      if (etas.every((eta) => eta === null)) return;
      const known = etas.map((eta) => eta ?? 0);
      expect(known).toEqual([50, 100, 150, 200]);
    });

    test('whoever is done has neither position nor time to go', async () => {
      const [first] = await enterInTurn(tested, event, 1);
      await settleNow(tested, event, await receiveMessages(tested));
      const nothing = { position: null, etaMs: null };
      if (first !== undefined) expect(await standingOf(first)).toEqual(nothing);
    });
  });
}
