import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedEvent } from '../../test/contracts/first-come-event.ts';
import { createProcessing } from '../../test/contracts/processing.ts';
import { enter, enterInTurn, storedRequest } from '../../test/contracts/taking-part.ts';
import {
  type EmbeddedTestEngine,
  openEmbeddedTestEngine,
} from '../../test/support/embedded-engine.ts';
import { nextTurn, until } from '../../test/support/manual-timers.ts';
import { Fault } from '../domain/errors.ts';
import type { Event } from '../domain/event.ts';
import type { RequestId } from '../domain/ids.ts';
import type { ProcessMessages } from '../participation/process-messages.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createPace, type Pace, unlimitedPace } from './pace.ts';
import { createWorker, type Worker } from './worker.ts';

describe('a worker', () => {
  let tested: EmbeddedTestEngine;
  let event: Event;
  let worker: Worker;
  beforeEach(async () => {
    tested = await openEmbeddedTestEngine();
    event = await storedEvent(tested, { capacityTotal: 5 });
  });
  afterEach(async () => {
    await worker.stop();
    await tested.close();
  });

  const start = (process: ProcessMessages, pace: Pace = unlimitedPace): void => {
    const breaker = createCircuitBreaker(tested.timers, { fraction: () => 0 }, () => {});
    const options = { concurrency: 3, batchMax: 4 };
    worker = createWorker(tested.engine.queue, process, breaker, pace, options);
    worker.start();
  };

  const isDone = async (id: RequestId) => (await storedRequest(tested, id)).finishedAt !== null;
  const allDone = async (ids: readonly RequestId[]) =>
    (await Promise.all(ids.map(isDone))).every((done) => done);

  test('settles what is there and what comes, in queue order', async () => {
    const early = await enterInTurn(tested, event, 6, 'early');
    start(createProcessing(tested).process);
    await until(() => allDone(early));
    const late = await enterInTurn(tested, event, 3, 'late');
    await until(() => allDone(late));

    const requests = await Promise.all([...early, ...late].map((id) => storedRequest(tested, id)));
    expect(requests.map((request) => request.status === 'SUCCEEDED')).toEqual([
      ...[true, true, true, true, true],
      ...[false, false, false, false],
    ]);
  });

  test('serves many events side by side, each with exactly its winners', async () => {
    const ids: RequestId[] = [];
    for (let number = 0; number < 6; number += 1) {
      const other = await storedEvent(tested, { eventId: `e${number}`, capacityTotal: 2 });
      ids.push(...(await enterInTurn(tested, other, 5)));
    }
    start(createProcessing(tested).process);
    await until(() => allDone(ids));
    const requests = await Promise.all(ids.map((id) => storedRequest(tested, id)));
    expect(requests.map((request) => request.status === 'SUCCEEDED')).toEqual(
      ids.map((_, index) => index % 5 < 2),
    );
  });

  test('that is stopped finishes what it holds and takes nothing new', async () => {
    const held = await enterInTurn(tested, event, 2);
    const { process } = createProcessing(tested);
    const gate = createGate();
    start(async (deliveries) => {
      await gate.pass();
      await process(deliveries);
    });
    await until(() => gate.waiting === 1);

    let hasStopped = false;
    const stopped = worker.stop().then(() => {
      hasStopped = true;
    });
    await nextTurn();
    const late = await enter(tested, event, 'late');
    expect(hasStopped).toBe(false);
    gate.open();
    await stopped;

    expect(await allDone(held)).toBe(true);
    expect((await storedRequest(tested, late)).status).toBe('QUEUED');
    expect(await tested.engine.queue.depth()).toMatchObject({ waiting: 1, inFlight: 0 });
  });

  test('that is idle stops at once', async () => {
    start(createProcessing(tested).process);
    await until(() => tested.timers.sleeping === 3);
    await worker.stop();
    expect(tested.timers.sleeping).toBe(0);
  });

  test('waits while the store is down, burns no attempts and goes on by itself', async () => {
    const ids = await enterInTurn(tested, event, 4);
    const { settlement } = tested.engine;
    let outages = 8;
    const { process } = createProcessing(tested, {
      settlement: {
        ...settlement,
        settle: (...of) => {
          outages -= 1;
          return outages >= 0 ? Promise.reject(storeDown()) : settlement.settle(...of);
        },
      },
    });
    start(process);
    await until(async () => {
      // Time passes between the probes only, never while a batch is in somebody's hands.
      const { inFlight } = await tested.engine.queue.depth();
      if (inFlight === 0) await tested.advance(30_000);
      return allDone(ids);
    });
    const requests = await Promise.all(ids.map((id) => storedRequest(tested, id)));
    expect(requests.every((request) => request.status === 'SUCCEEDED')).toBe(true);
    expect(await tested.engine.deadLetters.depth()).toBe(0);
  });

  test('keeps to its pace', async () => {
    const ids = await enterInTurn(tested, event, 9);
    start(createProcessing(tested).process, createPace(2, tested.clock, tested.timers));
    for (let second = 1; second <= 4; second += 1) {
      const expected = 2 * second;
      await until(async () => {
        const done = await Promise.all(ids.map(isDone));
        return done.filter(Boolean).length === expected;
      });
      await until(() => tested.timers.sleeping === 3);
      await tested.advance(1000);
    }
    await until(() => allDone(ids));
  });
});

function storeDown(): Fault {
  return new Fault('UNAVAILABLE', 'The store is down.', { retryable: true });
}

function createGate() {
  const passing: (() => void)[] = [];
  return {
    get waiting() {
      return passing.length;
    },
    pass: () => new Promise<void>((resolve) => passing.push(resolve)),
    open: () => {
      for (const resolve of passing) resolve();
    },
  };
}
