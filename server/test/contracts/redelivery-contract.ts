import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { timelineOf } from '../../src/domain/timeline.ts';
import { storedEvent } from './first-come-event.ts';
import {
  badContent,
  dropUntilDead,
  failRetryably,
  receiveMessages,
  receiveNow,
  settleAll,
} from './receiving.ts';
import { enter, enterInTurn, storedRequest } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

export function redeliveryContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: redelivery`, () => {
    let tested: TestEngine;
    let event: Event;
    beforeEach(async () => {
      tested = await createEngine();
      event = await storedEvent(tested, { capacityTotal: 2 });
    });
    afterEach(() => tested.close());

    const redeliver = (requestId: RequestId) =>
      tested.engine.redelivery.redeliver(requestId, 'Redriven by olga.', tested.now());

    const deadRequest = async (userId = 'user'): Promise<RequestId> => {
      const requestId = await enter(tested, event, userId);
      await dropUntilDead(tested);
      await tested.advance(100);
      return requestId;
    };

    test('a failed request goes back to its old place and its message is delivered', async () => {
      const requestId = await deadRequest();
      const { queuedAt, requestedAt } = await storedRequest(tested, requestId);

      expect(await redeliver(requestId)).toEqual({ kind: 'queued' });

      expect(await storedRequest(tested, requestId)).toMatchObject({
        status: 'QUEUED',
        resultCode: null,
        failure: null,
        startedAt: null,
        finishedAt: null,
        redriven: true,
        queuedAt,
        requestedAt,
      });
      const messages = await receiveMessages(tested);
      expect(messages).toMatchObject([{ requestId, receiveCount: 1 }]);
    });

    test('while places are left a redriven request wins', async () => {
      const requestId = await deadRequest();
      await redeliver(requestId);
      await settleAll(tested, event);
      expect(await storedRequest(tested, requestId)).toMatchObject({
        status: 'SUCCEEDED',
        redriven: true,
      });
    });

    test('after the sell-out a redriven request is rejected and counted as displaced', async () => {
      const requestId = await deadRequest('unlucky');
      const others = await enterInTurn(tested, event, 3);
      await settleAll(tested, event);
      await redeliver(requestId);
      await settleAll(tested, event);

      expect((await storedRequest(tested, requestId)).resultCode).toBe('REJECTED_CAPACITY');
      const statistics = await tested.engine.statistics.of(event);
      expect(statistics).toMatchObject({ displaced: 1, inversions: 0 });
      const first = await storedRequest(tested, others[0] ?? requestId);
      expect(first.status).toBe('SUCCEEDED');
    });

    test('its dead letter can be gone with it, and never returns by itself', async () => {
      const requestId = await deadRequest();
      const before = await tested.engine.deadLetters.list({ limit: 10, after: null });
      await redeliver(requestId);
      for (const { messageId } of before.items) await tested.engine.deadLetters.remove(messageId);
      await settleAll(tested, event);

      expect(await tested.engine.deadLetters.depth()).toBe(0);
      expect(await tested.engine.statistics.of(event)).toMatchObject({ deadLetters: 0 });
    });

    test('it may fail and be redriven again and again', async () => {
      const requestId = await deadRequest();
      for (let time = 0; time < 3; time += 1) {
        expect(await redeliver(requestId)).toEqual({ kind: 'queued' });
        await dropUntilDead(tested);
        expect((await storedRequest(tested, requestId)).status).toBe('FAILED_FINAL');
        expect(await tested.engine.deadLetters.depth()).toBe(1);
      }
    });

    test('asked for twice, it happens once', async () => {
      const requestId = await deadRequest();
      await Promise.all([redeliver(requestId), redeliver(requestId)]);
      await redeliver(requestId);
      await settleAll(tested, event);

      expect((await storedRequest(tested, requestId)).status).toBe('SUCCEEDED');
      const capacity = await tested.engine.events.capacityOf(event.eventId);
      expect(capacity?.capacityRemaining).toBe(1);
      expect(await tested.engine.queue.depth()).toMatchObject({ waiting: 0, inFlight: 0 });
    });

    test('a failed request whose message still waits gets a fresh set of attempts', async () => {
      const requestId = await enter(tested, event);
      for (let receive = 0; receive < tested.receivesMax; receive += 1) {
        await receiveNow(tested);
        await tested.advance(tested.visibilityMs);
      }
      await failRetryably(tested, event, requestId);
      await redeliver(requestId);

      if (tested.engine.queue.keepsOrder) {
        expect(await receiveNow(tested)).toMatchObject([{ requestId, receiveCount: 1 }]);
        expect(await tested.engine.queue.depth()).toMatchObject({ waiting: 0, inFlight: 1 });
      }
    });

    test('nothing happens to a request that has not failed', async () => {
      const [winner, waiting] = await enterInTurn(tested, event, 2);
      const messages = await receiveMessages(tested, 1);
      const { settlement } = tested.engine;
      await settlement.settle(event, messages, tested.now(), tested.now());
      for (const id of [winner, waiting]) {
        if (id === undefined) continue;
        const before = await storedRequest(tested, id);
        expect(await redeliver(id)).toEqual({ kind: 'not-failed' });
        expect(await storedRequest(tested, id)).toEqual(before);
      }
    });

    test('a failure that another try cannot mend is not redelivered', async () => {
      const requestId = await enter(tested, event);
      await receiveNow(tested);
      const reference = { eventId: event.eventId, requestId };
      const now = tested.now();
      await tested.engine.settlement.fail(reference, 'FAILED_SERDE', badContent, now, now);
      expect(await redeliver(requestId)).toEqual({ kind: 'not-failed' });
    });

    test('a request that does not exist is missing', async () => {
      const unknown = '019ca6b1-dc00-7000-8000-000000000000' as RequestId;
      expect(await redeliver(unknown)).toEqual({ kind: 'missing' });
    });

    test('the redrive is logged with its reason, and survives a restart', async () => {
      const requestId = await deadRequest();
      await redeliver(requestId);
      await tested.restart();
      expect(await tested.engine.requests.logOf(requestId)).toContainEqual({
        fromStatus: 'FAILED_FINAL',
        toStatus: 'QUEUED',
        occurredAt: tested.now(),
        message: 'Redriven by olga.',
      });
      expect(await receiveNow(tested)).toHaveLength(1);
    });

    test('after a redrive the timeline still tells that and when the request had failed', async () => {
      const requestId = await deadRequest();
      const failed = await storedRequest(tested, requestId);
      await redeliver(requestId);
      await settleAll(tested, event);

      const request = await storedRequest(tested, requestId);
      const timeline = timelineOf(request, await tested.engine.requests.logOf(requestId));
      expect(timeline).toContainEqual(
        expect.objectContaining({ toStatus: 'FAILED_FINAL', occurredAt: failed.finishedAt }),
      );
    });
  });
}
