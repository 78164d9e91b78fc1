import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedEvent } from '../../test/contracts/first-come-event.ts';
import { createProcessing, type Processing } from '../../test/contracts/processing.ts';
import {
  brokenStore,
  failRetryably,
  receiveMessages,
  receiveNow,
  receiveOne,
} from '../../test/contracts/receiving.ts';
import { enter, enterInTurn, storedRequest } from '../../test/contracts/taking-part.ts';
import type { TestEngine } from '../../test/contracts/test-engine.ts';
import { openEmbeddedTestEngine } from '../../test/support/embedded-engine.ts';
import { Fault } from '../domain/errors.ts';
import type { Event } from '../domain/event.ts';
import type { EventId, RequestId } from '../domain/ids.ts';

let tested: TestEngine;
let event: Event;
let processing: Processing;
beforeEach(async () => {
  tested = await openEmbeddedTestEngine();
  event = await storedEvent(tested, { capacityTotal: 2 });
  processing = createProcessing(tested);
});
afterEach(() => tested.close());

const statusesOf = (ids: readonly RequestId[]) =>
  Promise.all(ids.map(async (id) => (await storedRequest(tested, id)).status));
const deadLetters = () => tested.engine.deadLetters.list({ limit: 100, after: null });
const depth = () => tested.engine.queue.depth();
const empty = { waiting: 0, inFlight: 0, oldestAgeMs: 0 };

describe('messages that come as they should', () => {
  test('are settled in queue order, counted once each and gone', async () => {
    const ids = await enterInTurn(tested, event, 3);
    await processing.untilIdle();
    expect(await statusesOf(ids)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'REJECTED']);
    expect(processing.finishedCount()).toBe(3);
    expect(await depth()).toEqual(empty);
  });

  test('of several events are settled for each by itself', async () => {
    const other = await storedEvent(tested, { eventId: 'other', capacityTotal: 1 });
    const mine = await enterInTurn(tested, event, 2);
    const others = await enterInTurn(tested, other, 2);
    const deliveries = [...(await receiveNow(tested)), ...(await receiveNow(tested))];
    await processing.process(deliveries);
    expect(await statusesOf([...mine, ...others])).toEqual([
      'SUCCEEDED',
      'SUCCEEDED',
      'SUCCEEDED',
      'REJECTED',
    ]);
  });
});

describe('messages that come twice', () => {
  test('have no second effect and are gone', async () => {
    const requestId = await enter(tested, event);
    const deliveries = await receiveNow(tested);
    await processing.process(deliveries);
    const won = await storedRequest(tested, requestId);
    await tested.advance(50);

    await processing.process(deliveries);

    expect(await storedRequest(tested, requestId)).toEqual(won);
    expect(processing.finishedCount()).toBe(1);
    expect((await tested.engine.events.capacityOf(event.eventId))?.capacityRemaining).toBe(1);
    expect(await depth()).toEqual(empty);
  });

  test('because a worker died while PROCESSING go on, the start kept', async () => {
    const requestId = await enter(tested, event);
    const startedAt = tested.now();
    const message = await receiveOne(tested);
    await tested.engine.settlement.recordAttempt(message, brokenStore, startedAt);
    await tested.advance(tested.visibilityMs);

    await processing.untilIdle();

    expect(await storedRequest(tested, requestId)).toMatchObject({
      status: 'SUCCEEDED',
      startedAt,
    });
  });

  test('because a worker died before anything are settled then', async () => {
    const ids = await enterInTurn(tested, event, 2);
    await receiveNow(tested);
    await tested.restart();
    await createProcessing(tested).untilIdle();
    expect(await statusesOf(ids)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  });

  test('after their request failed retryably are left to reach the dead letters', async () => {
    const requestId = await enter(tested, event);
    await receiveNow(tested);
    await failRetryably(tested, event, requestId);
    const failed = await storedRequest(tested, requestId);
    await tested.advance(tested.visibilityMs);

    await processing.untilIdle();

    expect(await storedRequest(tested, requestId)).toEqual(failed);
    expect((await deadLetters()).items).toMatchObject([{ requestId, errorCode: 'STORE_DOWN' }]);
    expect(processing.finishedCount()).toBe(0);
  });
});

describe('messages that are not to be handled now', () => {
  test('an older one of the event is missing: they go back uncounted', async () => {
    const ids = await enterInTurn(tested, event, 2);
    const [oldest, later] = await receiveMessages(tested);
    await processing.process(later === undefined ? [] : [later]);
    expect(await statusesOf(ids)).toEqual(['QUEUED', 'QUEUED']);
    await tested.engine.queue.giveBack(oldest === undefined ? [] : [oldest]);
    const again = await receiveMessages(tested);
    expect(again.map((message) => message.receiveCount)).toEqual([1, 1]);
  });

  test('the store fails: nobody’s attempt is burnt, and the fault is passed on', async () => {
    const ids = await enterInTurn(tested, event, 2);
    const broken = createProcessing(tested, {
      settlement: {
        ...tested.engine.settlement,
        settle: () => Promise.reject(fullDisk()),
      },
    });
    for (let time = 0; time < tested.receivesMax + 2; time += 1) {
      await expect(broken.once()).rejects.toThrow('The disk is full.');
    }
    expect(await statusesOf(ids)).toEqual(['QUEUED', 'QUEUED']);
    expect(await tested.engine.deadLetters.depth()).toBe(0);
    await processing.untilIdle();
    expect(await statusesOf(ids)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  });
});

describe('messages that lead nowhere', () => {
  test('without a request are dropped with a warning', async () => {
    await enter(tested, event);
    const message = await receiveOne(tested);
    await tested.engine.queue.acknowledge([message]);
    const requestId = '019ca6b1-dc00-7fff-bfff-ffffffffffff' as RequestId;
    await processing.process([{ ...message, requestId, receipt: {} }]);
    expect(processing.logger.warn).toHaveBeenCalledTimes(1);
    expect((await tested.engine.events.capacityOf(event.eventId))?.capacityRemaining).toBe(2);
  });

  test('of an unknown event are dropped with an error', async () => {
    await enter(tested, event);
    const message = await receiveOne(tested);
    await processing.process([{ ...message, eventId: 'gone' as EventId }]);
    expect(processing.logger.error).toHaveBeenCalledTimes(1);
    expect(await depth()).toEqual(empty);
  });

  test('that cannot be decoded end their request at once and never become dead letters', async () => {
    const before = await enter(tested, event, 'before');
    const requestId = await tested.putUndecodableMessage(event.eventId);
    const after = await enter(tested, event, 'after');

    await processing.untilIdle();

    expect(requestId && (await storedRequest(tested, requestId))).toMatchObject({
      status: 'FAILED_FINAL',
      resultCode: 'FAILED_SERDE',
      failure: { failureClass: 'NON_RETRYABLE' },
    });
    expect(await statusesOf([before, after])).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(processing.telemetry.undecodable).toHaveBeenCalledTimes(1);
    expect(processing.logger.error).toHaveBeenCalledTimes(1);
    expect((await deadLetters()).items).toEqual([]);
    expect(await depth()).toEqual(empty);
  });
});

function fullDisk(): Fault {
  return new Fault('UNAVAILABLE', 'The disk is full.', { retryable: true });
}
