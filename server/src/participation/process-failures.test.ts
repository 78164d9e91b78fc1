import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedEvent } from '../../test/contracts/first-come-event.ts';
import { createProcessing, type Processing } from '../../test/contracts/processing.ts';
import { enter, enterInTurn, storedRequest } from '../../test/contracts/taking-part.ts';
import type { TestEngine } from '../../test/contracts/test-engine.ts';
import { openEmbeddedTestEngine } from '../../test/support/embedded-engine.ts';
import type { Event } from '../domain/event.ts';
import type { RequestId } from '../domain/ids.ts';
import { timelineOf } from '../domain/timeline.ts';

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
const deadLetters = async () =>
  (await tested.engine.deadLetters.list({ limit: 100, after: null })).items;

describe('a failure that may pass', () => {
  test('is tried again after a back-off, and the request then wins', async () => {
    const requestId = await enter(tested, event);
    const startedAt = tested.now();
    processing.faults.arm(event.eventId, 'retryable', 1);
    await processing.once();
    expect(await storedRequest(tested, requestId)).toMatchObject({
      status: 'PROCESSING',
      startedAt,
    });
    expect(await processing.once()).toBe(0);

    await processing.untilIdle();

    expect(await storedRequest(tested, requestId)).toMatchObject({
      status: 'SUCCEEDED',
      startedAt,
    });
    expect(await deadLetters()).toEqual([]);
    expect(processing.telemetry.attemptFailed).toHaveBeenCalledTimes(1);
  });

  test('lets nobody pass who came later', async () => {
    const ids = await enterInTurn(tested, event, 4);
    processing.faults.arm(event.eventId, 'retryable', 2);
    await processing.once();
    expect(await statusesOf(ids)).not.toContain('SUCCEEDED');
    await processing.untilIdle();
    expect(await statusesOf(ids)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'REJECTED', 'REJECTED']);
    expect((await tested.engine.statistics.of(event)).inversions).toBe(0);
  });

  test('costs those who wait behind it none of their attempts', async () => {
    const ids = await enterInTurn(tested, event, 2);
    for (let attempt = 1; attempt < tested.receivesMax; attempt += 1) {
      processing.faults.arm(event.eventId, 'retryable', 1);
      await processing.once();
      await tested.advance(60_000);
    }
    await processing.untilIdle();
    expect(await statusesOf(ids)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(await deadLetters()).toEqual([]);
  });

  test('ends with the last allowed attempt, and the message among the dead letters', async () => {
    const requestId = await enter(tested, event, 'ann');
    processing.faults.arm(event.eventId, 'retryable', 99);
    await processing.untilIdle();

    expect(await storedRequest(tested, requestId)).toMatchObject({
      status: 'FAILED_FINAL',
      resultCode: 'FAILED_WORKER',
      failure: { failureClass: 'RETRYABLE', errorCode: 'FAULT_SWITCH_RETRYABLE' },
    });
    expect(await deadLetters()).toMatchObject([
      {
        requestId,
        userId: 'ann',
        errorCode: 'FAULT_SWITCH_RETRYABLE',
        receiveCount: tested.receivesMax,
      },
    ]);
    expect(processing.telemetry.attemptFailed).toHaveBeenCalledTimes(tested.receivesMax);
    expect(processing.finishedCount()).toBe(1);
    const capacity = await tested.engine.events.capacityOf(event.eventId);
    expect(capacity?.capacityRemaining).toBe(2);
  });

  test('leaves every attempt in the timeline', async () => {
    const requestId = await enter(tested, event);
    processing.faults.arm(event.eventId, 'retryable', 99);
    await processing.untilIdle();
    const request = await storedRequest(tested, requestId);
    const timeline = timelineOf(request, await tested.engine.requests.logOf(requestId));
    expect(timeline.map((change) => change.toStatus)).toEqual([
      'RECEIVED',
      'QUEUED',
      'PROCESSING',
      ...Array.from({ length: tested.receivesMax - 1 }, () => 'PROCESSING'),
      'FAILED_FINAL',
    ]);
  });

  test('for good at last lets those behind it go on', async () => {
    const ids = await enterInTurn(tested, event, 3);
    for (let attempt = 0; attempt < tested.receivesMax; attempt += 1) {
      processing.faults.arm(event.eventId, 'retryable', 1);
      await processing.once();
      await tested.advance(60_000);
    }
    await processing.untilIdle();
    expect(await statusesOf(ids)).toEqual(['FAILED_FINAL', 'SUCCEEDED', 'SUCCEEDED']);
    expect(await deadLetters()).toHaveLength(1);
  });
});

describe('a failure that cannot be mended', () => {
  test('ends the request at once, counted and logged, and is never a dead letter', async () => {
    const ids = await enterInTurn(tested, event, 3);
    processing.faults.arm(event.eventId, 'nonretryable', 1);
    await processing.untilIdle();

    expect(await statusesOf(ids)).toEqual(['FAILED_FINAL', 'SUCCEEDED', 'SUCCEEDED']);
    const [failed] = await Promise.all(ids.map((id) => storedRequest(tested, id)));
    expect(failed).toMatchObject({
      resultCode: 'FAILED_WORKER',
      failure: { failureClass: 'NON_RETRYABLE', errorCode: 'FAULT_SWITCH_NON_RETRYABLE' },
    });
    expect(await deadLetters()).toEqual([]);
    expect(processing.telemetry.attemptFailed).toHaveBeenCalledTimes(1);
    expect(processing.finishedCount()).toBe(3);
    expect(processing.logger.warn).toHaveBeenCalledTimes(1);
  });
});

describe('an error that nobody foresaw', () => {
  /** Settles as ever, but stumbles over one request. */
  const stumblingOver = (requestId: RequestId): Processing => {
    const { settlement } = tested.engine;
    return createProcessing(tested, {
      settlement: {
        ...settlement,
        settle: (of, messages, ...times) =>
          messages.some((message) => message.requestId === requestId)
            ? Promise.reject(new TypeError('Cannot read the unreadable.'))
            : settlement.settle(of, messages, ...times),
      },
    });
  };

  test('is the failed attempt of the one message that causes it', async () => {
    const [first, second, third] = await enterInTurn(tested, event, 3);
    if (second === undefined) return;
    await stumblingOver(second).once();
    expect(await statusesOf([first, second, third].filter((id) => id !== undefined))).toEqual([
      'SUCCEEDED',
      'PROCESSING',
      'QUEUED',
    ]);
    const log = await tested.engine.requests.logOf(second);
    expect(log.at(-1)?.message).toContain('Cannot read the unreadable.');
  });

  test('ends that one among the dead letters, and nobody else', async () => {
    const ids = await enterInTurn(tested, event, 4);
    const [, second] = ids;
    if (second === undefined) return;
    await stumblingOver(second).untilIdle();
    expect(await statusesOf(ids)).toEqual(['SUCCEEDED', 'FAILED_FINAL', 'SUCCEEDED', 'REJECTED']);
    expect(await deadLetters()).toMatchObject([{ requestId: second, errorCode: 'UNEXPECTED' }]);
    expect((await tested.engine.statistics.of(event)).inversions).toBe(0);
  });
});
