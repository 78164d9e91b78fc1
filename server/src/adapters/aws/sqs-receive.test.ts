import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestSqsQueue,
  idOf,
  type TestSqsQueue,
} from '../../../test/support/aws/test-sqs-queue.ts';
import { nextTurn, until } from '../../../test/support/manual-timers.ts';
import type { RequestId } from '../../domain/ids.ts';
import type { Delivery } from '../../ports/queue.ts';

describe('receiving from SQS', () => {
  let tested: TestSqsQueue;
  let calledOff: AbortController;
  beforeEach(async () => {
    tested = await createTestSqsQueue();
    calledOff = new AbortController();
  });
  afterEach(() => tested.stop());

  const poll = (limit = 10): Promise<readonly Delivery[]> =>
    tested.queue.receive(limit, 20_000, calledOff.signal);
  const receives = () => tested.callsOf('ReceiveMessage').map(({ input }) => input);

  test('what was sent first comes first, whatever the order of delivery', async () => {
    await tested.put(1);
    tested.advance(1);
    await tested.put(2);
    await tested.queue.giveBack(await tested.receiveNow(1));
    expect(requestIdsOf(await tested.receiveNow())).toEqual([idOf(1), idOf(2)]);
  });

  test('a receive brings more than SQS’s ten, up to its limit', async () => {
    await tested.put(...upTo(57));
    expect(await tested.receiveNow(25)).toHaveLength(25);
    expect(await tested.queue.depth()).toMatchObject({ waiting: 32, inFlight: 25 });
    expect(await tested.receiveNow(100)).toHaveLength(32);
  });

  test('a poll that is not full is the last', async () => {
    await tested.put(...upTo(9));
    expect(await tested.receiveNow(100)).toHaveLength(9);
    expect(receives()).toHaveLength(1);
  });

  test('a long poll returns when a message comes', async () => {
    const polled = poll();
    await tested.put(1);
    expect(requestIdsOf(await polled)).toEqual([idOf(1)]);
  });

  test.each([
    [999, 0],
    [2500, 2],
    [60_000, 20],
  ])('a wait of %d ms is one of %d s to SQS', async (waitMs, seconds) => {
    await tested.put(1);
    await tested.queue.receive(10, waitMs, calledOff.signal);
    expect(receives()).toMatchObject([{ WaitTimeSeconds: seconds }]);
  });

  test('a receive that is called off returns at once; its message goes back', async () => {
    const polled = poll();
    await until(() => receives().length === 1);
    calledOff.abort();
    expect(await polled).toEqual([]);
    await tested.put(1);
    await tested.queue.drained();
    expect(await tested.receiveNow()).toMatchObject([{ requestId: idOf(1), receiveCount: 2 }]);
  });

  test('a receive that is called off later returns what it has; the rest goes back', async () => {
    await tested.put(...upTo(25));
    const release = tested.hold(() => receives().length > 1);
    const polled = poll(25);
    await until(() => receives().length === 3);
    calledOff.abort();
    expect(await polled).toHaveLength(10);
    release();
    await tested.queue.drained();
    expect(await tested.receiveNow(25)).toHaveLength(15);
  });

  test('a receive that was called off before asks for nothing', async () => {
    calledOff.abort();
    expect(await poll()).toEqual([]);
    expect(receives()).toEqual([]);
  });

  test('a fault after the first messages does not cost them', async () => {
    await tested.put(...upTo(25));
    tested.intercept(async ({ input }, pass) => {
      if (receives().length > 1) throw new Error('The line is cut.');
      return pass(input);
    });
    expect(await poll(25)).toHaveLength(10);
  });

  test('a fault of the first poll is a fault of the receive', async () => {
    tested.intercept(async () => {
      throw Object.assign(new Error('Slow down.'), { name: 'RequestThrottled' });
    });
    await expect(poll()).rejects.toMatchObject({ code: 'UNAVAILABLE', retryable: true });
  });
});

describe('receiving from SQS with a hold', () => {
  let tested: TestSqsQueue;
  let calledOff: AbortController;
  beforeEach(async () => {
    tested = await createTestSqsQueue({ holdMs: 200 });
    calledOff = new AbortController();
  });
  afterEach(() => tested.stop());

  const poll = (limit: number): Promise<readonly Delivery[]> =>
    tested.queue.receive(limit, 0, calledOff.signal);

  test('what comes within the hold joins the batch, in its order', async () => {
    await tested.put(1);
    tested.advance(1);
    await tested.put(2);
    const early = await poll(1);
    const polled = poll(10);
    await until(() => tested.holding === 1);
    await tested.queue.giveBack(early);
    tested.advance(199);
    await nextTurn();
    expect(tested.holding).toBe(1);
    tested.advance(1);
    expect(requestIdsOf(await polled)).toEqual([idOf(1), idOf(2)]);
  });

  test('a full batch is not held', async () => {
    await tested.put(1, 2);
    expect(await poll(2)).toHaveLength(2);
  });

  test('nothing is not held', async () => {
    expect(await poll(2)).toEqual([]);
  });

  test('a receive that is called off in its hold returns what it has', async () => {
    await tested.put(1);
    const polled = poll(10);
    await until(() => tested.holding === 1);
    calledOff.abort();
    expect(requestIdsOf(await polled)).toEqual([idOf(1)]);
  });
});

function requestIdsOf(deliveries: readonly Delivery[]): (RequestId | null)[] {
  return deliveries.map((delivery) =>
    delivery.kind === 'participation' ? delivery.requestId : null,
  );
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
