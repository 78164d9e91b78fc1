import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UserId } from '../../src/domain/ids.ts';
import { storedEvent } from './first-come-event.ts';
import { receiveMessages, settleAll } from './receiving.ts';
import { enter, enterInTurn, storedRequest } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

export function admissionContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: admission`, () => {
    let tested: TestEngine;
    beforeEach(async () => {
      tested = await createEngine();
    });
    afterEach(() => tested.close());

    test('an accepted request is stored, queued and carries its times', async () => {
      const event = await storedEvent(tested);
      const requestedAt = tested.now() - 5;
      const admitted = await tested.engine.admission.admit(event, ann, requestedAt);

      expect(admitted.kind).toBe('accepted');
      const request = await storedRequest(tested, admitted.requestId);
      expect(request).toMatchObject({
        requestId: admitted.requestId,
        eventId: event.eventId,
        userId: ann,
        eventType: 'FIRST_COME',
        status: 'QUEUED',
        resultCode: null,
        requestedAt,
        startedAt: null,
        finishedAt: null,
        failure: null,
        redriven: false,
      });
      expect(request.queuedAt).toBeGreaterThanOrEqual(requestedAt);
      const messages = await receiveMessages(tested);
      expect(messages.map((message) => message.requestId)).toEqual([admitted.requestId]);
    });

    test('who already takes part gets the first request again and changes nothing', async () => {
      const event = await storedEvent(tested);
      const requestId = await enter(tested, event, ann);
      const before = await storedRequest(tested, requestId);
      await tested.advance(1000);

      const again = await tested.engine.admission.admit(event, ann, tested.now());

      expect(again).toEqual({ kind: 'duplicate', requestId });
      expect(await storedRequest(tested, requestId)).toEqual(before);
      expect(await receiveMessages(tested)).toHaveLength(1);
    });

    test('of many clicks at once exactly one is accepted', async () => {
      const event = await storedEvent(tested);
      const clicks = Array.from({ length: 20 }, () =>
        tested.engine.admission.admit(event, ann, tested.now()),
      );
      const answers = await Promise.all(clicks);

      expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
      expect(new Set(answers.map(({ requestId }) => requestId)).size).toBe(1);
      expect(await receiveMessages(tested)).toHaveLength(1);
    });

    test('many users at once all get a request of their own', async () => {
      const event = await storedEvent(tested, { indexShards: 8 });
      const users = Array.from({ length: 300 }, (_, index) => `user-${index}` as UserId);
      const answers = await Promise.all(
        users.map((user) => tested.engine.admission.admit(event, user, tested.now())),
      );

      expect(answers.every(({ kind }) => kind === 'accepted')).toBe(true);
      expect(new Set(answers.map(({ requestId }) => requestId)).size).toBe(users.length);
      for (const [index, user] of users.entries()) {
        expect(await tested.engine.admission.find(event, user)).toBe(answers[index]?.requestId);
      }
    });

    test('one user takes part in two events with two requests', async () => {
      const first = await storedEvent(tested, { eventId: 'first' });
      const second = await storedEvent(tested, { eventId: 'second' });

      expect(await enter(tested, first, ann)).not.toBe(await enter(tested, second, ann));
    });

    test('user ids that begin alike are different people', async () => {
      const event = await storedEvent(tested);
      const users = ['a', 'aa', 'a!', 'a~', 'A', 'a-', 'a'.repeat(128), 'a'.repeat(127)];
      const ids = [];
      for (const user of users) ids.push(await enter(tested, event, user));

      expect(new Set(ids).size).toBe(users.length);
    });

    test('find tells the request by which a user takes part, and nothing before', async () => {
      const event = await storedEvent(tested);
      const other = await storedEvent(tested, { eventId: 'other' });
      expect(await tested.engine.admission.find(event, ann)).toBeUndefined();

      const requestId = await enter(tested, event, ann);

      expect(await tested.engine.admission.find(event, ann)).toBe(requestId);
      expect(await tested.engine.admission.find(other, ann)).toBeUndefined();
    });

    test('what was accepted is there after a restart, and still a duplicate', async () => {
      const event = await storedEvent(tested);
      const requestId = await enter(tested, event, ann);
      const before = await storedRequest(tested, requestId);

      await tested.restart();

      expect(await storedRequest(tested, requestId)).toEqual(before);
      expect(await tested.engine.admission.find(event, ann)).toBe(requestId);
      const again = await tested.engine.admission.admit(event, ann, tested.now());
      expect(again).toEqual({ kind: 'duplicate', requestId });
      expect(await receiveMessages(tested)).toHaveLength(1);
    });

    test('who has a result stays a duplicate', async () => {
      const event = await storedEvent(tested, { capacityTotal: 1 });
      const [winner, loser] = await enterInTurn(tested, event, 2);
      await settleAll(tested, event);

      expect(await enter(tested, event, 'user-0')).toBe(winner);
      expect(await enter(tested, event, 'user-1')).toBe(loser);
      expect(await receiveMessages(tested)).toEqual([]);
    });
  });
}

const ann = 'ann' as UserId;
