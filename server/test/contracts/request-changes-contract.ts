import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
import { enter, storedRequest } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

/** Whoever follows a request is called after each change, when the change can be read. */
export function requestChangesContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: request changes`, () => {
    let tested: TestEngine;
    let event: Event;
    let requestId: RequestId;
    beforeEach(async () => {
      tested = await createEngine();
      event = await storedEvent(tested);
      requestId = await enter(tested, event, 'ann');
    });
    afterEach(() => tested.close());

    /** The statuses that a follower reads, one a call. */
    const follow = () => {
      const seen: Promise<string>[] = [];
      tested.engine.changes.subscribe(requestId, () => {
        seen.push(storedRequest(tested, requestId).then((request) => request.status));
      });
      return () => Promise.all(seen);
    };

    test('being settled is told', async () => {
      const seen = follow();
      await settleNow(tested, event, await receiveMessages(tested));
      expect(await seen()).toEqual(['SUCCEEDED']);
    });

    test('a failed attempt is told', async () => {
      const seen = follow();
      const message = await receiveOne(tested);
      await tested.engine.settlement.recordAttempt(message, brokenStore, tested.now());
      expect(await seen()).toEqual(['PROCESSING']);
    });

    test('a failure for good is told', async () => {
      const seen = follow();
      const message = await receiveOne(tested);
      const now = tested.now();
      await tested.engine.settlement.fail(message, 'FAILED_WORKER', badContent, now, now);
      expect(await seen()).toEqual(['FAILED_FINAL']);
    });

    test('becoming a dead letter is told', async () => {
      const seen = follow();
      await dropUntilDead(tested);
      expect((await seen()).at(-1)).toBe('FAILED_FINAL');
    });

    test('a redrive is told', async () => {
      await dropUntilDead(tested);
      const seen = follow();
      await tested.engine.redelivery.redeliver(requestId, 'Again.', tested.now());
      expect((await seen()).at(-1)).toBe('QUEUED');
    });

    test('nobody is called for somebody else’s request, or after leaving', async () => {
      const stranger = vi.fn();
      const left = vi.fn();
      const other = await enter(tested, event, 'bob');
      const { changes } = tested.engine;
      const [message] = await receiveMessages(tested, 1);
      const mine = message?.requestId === requestId ? other : requestId;
      changes.subscribe(mine, stranger);
      changes.subscribe(message?.requestId ?? requestId, left).unsubscribe();

      await settleNow(tested, event, message === undefined ? [] : [message]);

      expect(stranger).not.toHaveBeenCalled();
      expect(left).not.toHaveBeenCalled();
    });

    test('several followers of one request are all called, and leave one by one', async () => {
      const [first, second] = [vi.fn(), vi.fn()];
      const subscription = tested.engine.changes.subscribe(requestId, first);
      tested.engine.changes.subscribe(requestId, second);
      const message = await receiveOne(tested);
      await tested.engine.settlement.recordAttempt(message, brokenStore, tested.now());
      subscription.unsubscribe();
      await settleNow(tested, event, [message]);

      expect(first).toHaveBeenCalledTimes(1);
      expect(second).toHaveBeenCalledTimes(2);
    });
  });
}
