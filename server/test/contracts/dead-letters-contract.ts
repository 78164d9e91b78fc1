import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import type { MessageId } from '../../src/domain/ids.ts';
import type { DeadLetter } from '../../src/ports/dead-letters.ts';
import { BadPosition } from '../../src/ports/page.ts';
import { storedEvent } from './first-come-event.ts';
import {
  badContent,
  dropUntilDead,
  failRetryably,
  receiveMessages,
  receiveNow,
} from './receiving.ts';
import { enter, enterInTurn, storedRequest } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

export function deadLettersContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: dead letters`, () => {
    let tested: TestEngine;
    let event: Event;
    beforeEach(async () => {
      tested = await createEngine();
      event = await storedEvent(tested);
    });
    afterEach(() => tested.close());

    const listed = async (limit = 100): Promise<DeadLetter[]> => {
      const all: DeadLetter[] = [];
      let after: string | null = null;
      do {
        const page = await tested.engine.deadLetters.list({ limit, after });
        all.push(...page.items);
        after = page.next;
      } while (after !== null);
      return all;
    };

    test('a message received as often as allowed becomes a dead letter, its request failed', async () => {
      const requestId = await enter(tested, event, 'ann');
      await dropUntilDead(tested);

      expect(await storedRequest(tested, requestId)).toMatchObject({
        status: 'FAILED_FINAL',
        resultCode: 'FAILED_WORKER',
        failure: { failureClass: 'RETRYABLE' },
        finishedAt: tested.now(),
      });
      const [letter, ...others] = await listed();
      expect(others).toEqual([]);
      expect(letter).toMatchObject({
        requestId,
        eventId: event.eventId,
        userId: 'ann',
        receiveCount: tested.receivesMax,
        occurredAt: tested.now(),
      });
      expect(await receiveNow(tested)).toEqual([]);
      expect(await tested.engine.queue.depth()).toMatchObject({ waiting: 0, inFlight: 0 });
    });

    test('a request that already failed retryably keeps its own reason', async () => {
      const requestId = await enter(tested, event);
      await receiveNow(tested);
      await failRetryably(tested, event, requestId);
      const failed = await storedRequest(tested, requestId);
      await tested.advance(tested.visibilityMs);
      for (let receive = 1; receive < tested.receivesMax; receive += 1) {
        await receiveNow(tested);
        await tested.advance(tested.visibilityMs);
      }
      await receiveNow(tested);

      expect(await storedRequest(tested, requestId)).toEqual(failed);
      expect(await listed()).toMatchObject([{ requestId, errorCode: 'STORE_DOWN' }]);
    });

    test('a request that failed for good never becomes a dead letter', async () => {
      const requestId = await enter(tested, event);
      for (let receive = 0; receive < tested.receivesMax; receive += 1) {
        await receiveNow(tested);
        if (receive === tested.receivesMax - 1) {
          const reference = { eventId: event.eventId, requestId };
          const now = tested.now();
          const { settlement } = tested.engine;
          await settlement.fail(reference, 'FAILED_WORKER', badContent, now, now);
        }
        await tested.advance(tested.visibilityMs);
      }
      await receiveNow(tested).then((left) => tested.engine.queue.acknowledge(left));

      expect(await listed()).toEqual([]);
      expect(await tested.engine.deadLetters.depth()).toBe(0);
    });

    test('a dead message lets those behind it pass', async () => {
      const [first, second] = await enterInTurn(tested, event, 2);
      for (let receive = 0; receive < tested.receivesMax; receive += 1) {
        await receiveNow(tested, 1);
        await tested.advance(tested.visibilityMs);
      }
      const left = await receiveMessages(tested, 1);
      if (tested.engine.queue.keepsOrder) {
        expect(left.map((message) => message.requestId)).toEqual([second]);
        expect(await listed()).toMatchObject([{ requestId: first }]);
      }
    });

    test('the list has the latest first and goes on where a page ended', async () => {
      for (const user of ['one', 'two', 'three', 'four', 'five']) {
        await enter(tested, event, user);
        await dropUntilDead(tested);
        await tested.advance(10);
      }
      const latestFirst = ['five', 'four', 'three', 'two', 'one'];
      for (const limit of [1, 2, 5, 100]) {
        expect((await listed(limit)).map((letter) => letter.userId)).toEqual(latestFirst);
      }
      await tested.restart();
      expect((await listed()).map((letter) => letter.userId)).toEqual(latestFirst);
    });

    test('a position that was never given out is refused', async () => {
      const list = tested.engine.deadLetters.list({ limit: 2, after: 'nowhere' });
      await expect(list).rejects.toBeInstanceOf(BadPosition);
    });

    test('one is found by its message id, and only while it is there', async () => {
      await enter(tested, event);
      await dropUntilDead(tested);
      const [letter] = await listed();
      const messageId = letter?.messageId ?? unknownMessage;

      expect(await tested.engine.deadLetters.get(messageId)).toEqual(letter);
      expect(await tested.engine.deadLetters.get(unknownMessage)).toBeUndefined();
      expect(await tested.engine.deadLetters.remove(messageId)).toBe(true);
      expect(await tested.engine.deadLetters.get(messageId)).toBeUndefined();
      expect(await tested.engine.deadLetters.remove(messageId)).toBe(false);
    });

    test('removing one leaves its request as it is', async () => {
      const requestId = await enter(tested, event);
      await dropUntilDead(tested);
      const failed = await storedRequest(tested, requestId);
      for (const { messageId } of await listed()) await tested.engine.deadLetters.remove(messageId);

      expect(await storedRequest(tested, requestId)).toEqual(failed);
      expect(await listed()).toEqual([]);
    });

    test('of two removals at once one counts', async () => {
      await enter(tested, event);
      await dropUntilDead(tested);
      const [letter] = await listed();
      const { deadLetters } = tested.engine;
      const messageId = letter?.messageId ?? unknownMessage;
      const removed = await Promise.all([
        deadLetters.remove(messageId),
        deadLetters.remove(messageId),
      ]);

      expect(removed.toSorted()).toEqual([false, true]);
      expect(await deadLetters.depth()).toBe(0);
    });

    test('the depth is the length of the list, over all events and after a restart', async () => {
      const other = await storedEvent(tested, { eventId: 'other' });
      for (const [to, user] of [
        [event, 'one'],
        [other, 'two'],
        [other, 'three'],
      ] as const) {
        await enter(tested, to, user);
        await dropUntilDead(tested);
      }
      expect(await tested.engine.deadLetters.depth()).toBe(3);
      await tested.restart();
      expect(await tested.engine.deadLetters.depth()).toBe(3);
      expect(await tested.engine.statistics.of(other)).toMatchObject({ deadLetters: 2 });
    });
  });
}

const unknownMessage = '019ca6b1-dc00-7000-8000-000000000000' as MessageId;
