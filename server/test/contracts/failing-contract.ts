import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { storedEvent } from './first-come-event.ts';
import { badContent, brokenStore, receiveMessages, receiveOne, settleNow } from './receiving.ts';
import { enter, storedRequest } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

/** The settlement port's other half: requests that fail, once or for good. */
export function failingContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: failing`, () => {
    let tested: TestEngine;
    let event: Event;
    let requestId: RequestId;
    beforeEach(async () => {
      tested = await createEngine();
      event = await storedEvent(tested, { capacityTotal: 1 });
      requestId = await enter(tested, event);
    });
    afterEach(() => tested.close());

    const failNow = () => {
      const reference = { eventId: event.eventId, requestId };
      const now = tested.now();
      return tested.engine.settlement.fail(reference, 'FAILED_WORKER', badContent, now, now + 4);
    };

    test('a request fails for good with its reason and takes no place', async () => {
      const now = tested.now();
      const outcome = await failNow();

      const { queuedAt } = await storedRequest(tested, requestId);
      expect(outcome).toMatchObject({ kind: 'settled', queuedAt });
      await tested.restart();
      expect(await storedRequest(tested, requestId)).toMatchObject({
        status: 'FAILED_FINAL',
        resultCode: 'FAILED_WORKER',
        failure: badContent,
        startedAt: now,
        finishedAt: now + 4,
      });
      const capacity = await tested.engine.events.capacityOf(event.eventId);
      expect(capacity).toMatchObject({ capacityRemaining: 1, soldOutAt: null });
    });

    test('a request that has its end does not fail any more', async () => {
      await settleNow(tested, event, await receiveMessages(tested));
      const won = await storedRequest(tested, requestId);

      const outcome = await failNow();

      expect(outcome).toMatchObject({ kind: 'final', progress: { status: 'SUCCEEDED' } });
      expect(await storedRequest(tested, requestId)).toEqual(won);
    });

    test('a request fails once: the first reason stays', async () => {
      await failNow();
      const reference = { eventId: event.eventId, requestId };
      const now = tested.now() + 100;
      const { settlement } = tested.engine;
      const again = await settlement.fail(reference, 'FAILED_SERDE', brokenStore, now, now);

      expect(again).toMatchObject({ kind: 'final' });
      expect((await storedRequest(tested, requestId)).failure).toEqual(badContent);
    });

    test('a request that does not exist cannot fail', async () => {
      const reference = {
        eventId: event.eventId,
        requestId: '019ca6b1-dc00-7fff-bfff-ffffffffffff' as RequestId,
      };
      const { settlement } = tested.engine;
      expect(await settlement.fail(reference, 'FAILED_WORKER', badContent, 1, 2)).toEqual({
        kind: 'missing',
      });
    });

    test('a failed attempt leaves it PROCESSING from its first start on', async () => {
      const startedAt = tested.now();
      const message = await receiveOne(tested);
      await tested.engine.settlement.recordAttempt(message, brokenStore, startedAt);
      await tested.engine.settlement.recordAttempt(message, brokenStore, startedAt + 50);

      expect(await storedRequest(tested, requestId)).toMatchObject({
        status: 'PROCESSING',
        startedAt,
        finishedAt: null,
        failure: null,
      });
      const log = await tested.engine.requests.logOf(requestId);
      expect(log.filter((change) => change.message?.includes('STORE_DOWN'))).toHaveLength(2);
    });

    test('settled after a failed attempt it keeps its first start', async () => {
      const startedAt = tested.now();
      const message = await receiveOne(tested);
      await tested.engine.settlement.recordAttempt(message, brokenStore, startedAt);
      await tested.engine.queue.backOff(message, 100);
      await tested.restart();
      await tested.advance(tested.visibilityMs);
      await settleNow(tested, event, await receiveMessages(tested));

      expect(await storedRequest(tested, requestId)).toMatchObject({
        status: 'SUCCEEDED',
        startedAt,
        finishedAt: tested.now(),
      });
    });

    test('an attempt on a request that has its end is not recorded', async () => {
      const message = await receiveOne(tested);
      await settleNow(tested, event, [message]);
      const won = await storedRequest(tested, requestId);
      await tested.engine.settlement.recordAttempt(message, brokenStore, tested.now() + 9);
      expect(await storedRequest(tested, requestId)).toEqual(won);
    });

    test('a long reason is cut, so that one failure cannot fill the store', async () => {
      const failure = { ...badContent, errorMessage: 'x'.repeat(1000) };
      const reference = { eventId: event.eventId, requestId };
      await tested.engine.settlement.fail(reference, 'FAILED_WORKER', failure, 1, 2);
      const stored = await storedRequest(tested, requestId);
      expect(stored.failure?.errorMessage).toBe('x'.repeat(256));
    });
  });
}
