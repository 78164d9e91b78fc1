import { DeleteMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestSqsQueue,
  eventId,
  idOf,
  type TestSqsQueue,
} from '../../../test/support/aws/test-sqs-queue.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Delivery } from '../../ports/queue.ts';
import { systemTimers } from '../system/system-timers.ts';
import { createCallInBatches } from './sqs-batches.ts';
import { encodeSqsMessage } from './sqs-message.ts';
import { sqsReceiptOf } from './sqs-receipt.ts';
import { createSqsSender } from './sqs-sender.ts';

describe('the SQS queue', () => {
  let tested: TestSqsQueue;
  beforeEach(async () => {
    tested = await createTestSqsQueue();
  });
  afterEach(() => tested.stop());

  const receiveOne = async (): Promise<Delivery> => {
    const [delivery] = await tested.receiveNow(1);
    invariant(delivery !== undefined, 'One message is visible.');
    return delivery;
  };
  const requestIds = async (): Promise<unknown[]> =>
    (await tested.receiveNow()).map((one) => ('requestId' in one ? one.requestId : null));
  const callNames = () => tested.calls.map(({ name }) => name);

  test('a delivery says whose it is, when it was sent and whether it was redriven', async () => {
    const request = { eventId, requestId: idOf(1) };
    const sentAt = Date.now();
    for (const redriven of [false, true]) {
      await tested.sendRaw(encodeSqsMessage({ ...request, redriven }));
      tested.advance(1000);
      const delivery = await receiveOne();
      expect(delivery).toMatchObject({ kind: 'participation', ...request, receiveCount: 1 });
      expect(sqsReceiptOf(delivery)).toMatchObject({
        sentAt: redriven ? sentAt + 1000 : sentAt,
        redriven,
      });
    }
  });

  test('a delivered message is nobody else’s until its visibility timeout, and counted', async () => {
    await tested.put(1);
    await receiveOne();
    tested.advance(tested.visibilityMs - 1);
    expect(await tested.receiveNow()).toEqual([]);
    tested.advance(1);
    expect(await tested.receiveNow()).toMatchObject([{ receiveCount: 2 }]);
  });

  test('a back-off takes whole seconds, never less than asked for', async () => {
    await tested.put(1);
    await tested.queue.backOff(await receiveOne(), 1001);
    tested.advance(1999);
    expect(await tested.receiveNow()).toEqual([]);
    tested.advance(1);
    expect(await tested.receiveNow()).toMatchObject([{ receiveCount: 2 }]);
  });

  test('a back-off never asks for more than SQS grants a message that was held', async () => {
    await tested.put(1);
    await tested.queue.backOff(await receiveOne(), 24 * 60 * 60 * 1000);
    const [call] = tested.callsOf('ChangeMessageVisibility');
    expect(call?.input.VisibilityTimeout).toBe(12 * 60 * 60 - tested.visibilityMs / 1000);
  });

  test('what is given back is visible at once', async () => {
    await tested.put(...upTo(12));
    await tested.queue.giveBack(await tested.receiveNow(12));
    expect(await tested.receiveNow(12)).toHaveLength(12);
  });

  test('a message that backs off is not given back with the rest', async () => {
    await tested.put(1, 2);
    const deliveries = await tested.receiveNow();
    const [first] = deliveries;
    invariant(first !== undefined, 'Both were received.');
    await tested.queue.backOff(first, 5000);
    await tested.queue.giveBack(deliveries);
    expect(await requestIds()).toEqual([idOf(2)]);
  });

  test('acknowledged messages never come back, however many', async () => {
    await tested.put(...upTo(25));
    await tested.queue.acknowledge(await tested.receiveNow(25));
    expect(tested.callsOf('DeleteMessageBatch')).toHaveLength(3);
    tested.advance(tested.visibilityMs);
    expect(await tested.receiveNow(25)).toEqual([]);
  });

  test('one message named twice in a call is acknowledged once', async () => {
    await tested.put(1);
    const delivery = await receiveOne();
    await tested.queue.acknowledge([delivery, delivery]);
    expect(tested.callsOf('DeleteMessageBatch')).toMatchObject([
      { input: { Entries: [{ ReceiptHandle: handleOf(delivery) }] } },
    ]);
  });

  test('a receipt that was used changes nothing more', async () => {
    await tested.put(1);
    const delivery = await receiveOne();
    await tested.queue.giveBack([delivery]);
    await tested.queue.acknowledge([delivery]);
    await tested.queue.backOff(delivery, 5000);
    expect(await requestIds()).toEqual([idOf(1)]);
    expect(callNames().filter((name) => name !== 'SendMessage')).toEqual([
      'ReceiveMessage',
      'ChangeMessageVisibilityBatch',
      'ReceiveMessage',
    ]);
  });

  test('after redelivery the old receipt changes nothing', async () => {
    await tested.put(1);
    const old = await receiveOne();
    tested.advance(tested.visibilityMs);
    await receiveOne();
    await tested.queue.acknowledge([old]);
    await tested.queue.backOff(old, 0);
    await tested.queue.giveBack([old]);
    expect(await tested.receiveNow()).toEqual([]);
    tested.advance(tested.visibilityMs);
    expect(await tested.receiveNow()).toMatchObject([{ receiveCount: 3 }]);
  });

  test.each(['acknowledge', 'giveBack'] as const)(
    '%s takes no offence at a message that is gone',
    async (method) => {
      await tested.put(1, 2);
      const deliveries = await tested.receiveNow();
      await removeBehindItsBack(deliveries[0]);
      await tested.queue[method](deliveries);
      expect(await requestIds()).toEqual(method === 'giveBack' ? [idOf(2)] : []);
    },
  );

  test('backOff takes no offence at a message that is gone', async () => {
    await tested.put(1);
    const delivery = await receiveOne();
    await removeBehindItsBack(delivery);
    await tested.queue.backOff(delivery, 1000);
  });

  test('SQS’s other word for a void receipt is none of a fault either', async () => {
    await tested.put(1);
    const delivery = await receiveOne();
    tested.refuse(() => ({ Code: 'InvalidParameterValue', SenderFault: true }));
    await tested.queue.acknowledge([delivery]);
  });

  test('a delete that SQS failed to do is done again, for that message only', async () => {
    await tested.put(1, 2, 3);
    const deliveries = await tested.receiveNow();
    let failures = 2;
    tested.refuse(({ ReceiptHandle }) => {
      if (ReceiptHandle !== handleOf(deliveries[1]) || failures === 0) return undefined;
      failures -= 1;
      return internalError;
    });
    await tested.queue.acknowledge(deliveries);
    const deletes = tested.callsOf('DeleteMessageBatch').map(({ input }) => input.Entries?.length);
    expect(deletes).toEqual([3, 1, 1]);
    tested.advance(tested.visibilityMs);
    expect(await tested.receiveNow()).toEqual([]);
  });

  test('a delete that fails for good is a fault, and that message can still be given back', async () => {
    await tested.put(1, 2, 3);
    const deliveries = await tested.receiveNow();
    tested.refuse(({ ReceiptHandle }) =>
      tested.callsOf('ChangeMessageVisibilityBatch').length === 0 &&
      ReceiptHandle === handleOf(deliveries[1])
        ? internalError
        : undefined,
    );
    await expect(tested.queue.acknowledge(deliveries)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryable: true,
    });
    await tested.queue.giveBack(deliveries);
    expect(await requestIds()).toEqual([idOf(2)]);
  });

  test('a back-off that fails is a fault', async () => {
    await tested.put(1);
    const delivery = await receiveOne();
    tested.intercept(async () => {
      throw Object.assign(new Error('Slow down.'), { name: 'RequestThrottled' });
    });
    await expect(tested.queue.backOff(delivery, 0)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('something that is no message of ours is handed over as such and can be dropped', async () => {
    await tested.sendRaw('no message');
    await tested.sendRaw(JSON.stringify({ v: 99, e: eventId, r: idOf(1) }));
    const deliveries = await tested.receiveNow();
    expect(deliveries).toMatchObject([
      { kind: 'undecodable', request: null, receiveCount: 1 },
      { kind: 'undecodable', request: { eventId, requestId: idOf(1) }, receiveCount: 1 },
    ]);
    await tested.queue.acknowledge(deliveries);
    tested.advance(tested.visibilityMs);
    expect(await tested.receiveNow()).toEqual([]);
  });

  test('the depth tells what waits, what is in flight and how old the oldest held is', async () => {
    expect(await tested.queue.depth()).toEqual({ waiting: 0, inFlight: 0, oldestAgeMs: 0 });
    await tested.put(1);
    tested.advance(500);
    await tested.put(2, 3);
    tested.advance(1000);
    const held = await tested.receiveNow(2);
    expect(await tested.queue.depth()).toEqual({ waiting: 1, inFlight: 2, oldestAgeMs: 1500 });
    await tested.queue.acknowledge(held);
    tested.advance(1000);
    expect(await tested.queue.depth()).toEqual({ waiting: 1, inFlight: 0, oldestAgeMs: 0 });
  });

  test('what is not visible yet counts as waiting', async () => {
    const input = { QueueUrl: tested.queueUrl, MessageBody: 'later', DelaySeconds: 5 };
    await tested.sqs.send(new SendMessageCommand(input));
    expect(await tested.queue.depth()).toMatchObject({ waiting: 1, inFlight: 0 });
  });

  test('what this process dropped does not age for ever', async () => {
    await tested.put(1);
    await receiveOne();
    tested.advance(tested.visibilityMs);
    expect(await tested.queue.depth()).toMatchObject({ oldestAgeMs: 0 });
  });

  test('SQS is asked for the depth at most once a second', async () => {
    await Promise.all([tested.queue.depth(), tested.queue.depth()]);
    await tested.put(1);
    tested.advance(999);
    expect(await tested.queue.depth()).toMatchObject({ waiting: 0 });
    expect(tested.callsOf('GetQueueAttributes')).toHaveLength(1);
    tested.advance(1);
    expect(await tested.queue.depth()).toMatchObject({ waiting: 1 });
  });

  test('a depth that could not be had is asked for again', async () => {
    let isDown = true;
    tested.intercept(async ({ input }, pass) => {
      if (isDown) throw new Error('The line is cut.');
      return pass(input);
    });
    await expect(tested.queue.depth()).rejects.toMatchObject({ name: 'Fault' });
    isDown = false;
    expect(await tested.queue.depth()).toMatchObject({ waiting: 0 });
  });

  test('of ten thousand messages each is delivered once and none is lost', async () => {
    const callInBatches = createCallInBatches(systemTimers, { fraction: () => 0 });
    const sender = createSqsSender(tested.sqs, tested.queueUrl, systemTimers, callInBatches);
    const sent = upTo(10_000).map(idOf);
    await Promise.all(
      sent.map((requestId) => sender.send({ eventId, requestId, redriven: false })),
    );
    const received: string[] = [];
    const receiveAll = async (): Promise<void> => {
      for (;;) {
        const deliveries = await tested.receiveNow(500);
        if (deliveries.length === 0) return;
        for (const one of deliveries) if ('requestId' in one) received.push(one.requestId);
        await tested.queue.acknowledge(deliveries);
      }
    };
    await Promise.all([receiveAll(), receiveAll(), receiveAll()]);
    expect(received.toSorted()).toEqual(sent);
    expect(await tested.queue.depth()).toMatchObject({ waiting: 0, inFlight: 0 });
  });

  const removeBehindItsBack = async (delivery: Delivery | undefined): Promise<void> => {
    const input = { QueueUrl: tested.queueUrl, ReceiptHandle: handleOf(delivery) };
    await tested.sqs.send(new DeleteMessageCommand(input));
  };
});

const internalError = { Code: 'InternalError', SenderFault: false };

function handleOf(delivery: Delivery | undefined): string | undefined {
  return delivery && sqsReceiptOf(delivery).handle;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
