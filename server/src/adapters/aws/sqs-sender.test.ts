import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestSqs, type TestSqs } from '../../../test/support/aws/test-sqs.ts';
import { createManualClock, type ManualClock } from '../../../test/support/manual-clock.ts';
import {
  createManualTimers,
  type ManualTimers,
  nextTurn,
  until,
} from '../../../test/support/manual-timers.ts';
import type { EventId, RequestId } from '../../domain/ids.ts';
import { createCallInBatches } from './sqs-batches.ts';
import { createSqsDepth } from './sqs-depth.ts';
import { encodeSqsMessage, type SqsMessage } from './sqs-message.ts';
import { createSqsSender, type SqsSender } from './sqs-sender.ts';

describe('the SQS sender', () => {
  let tested: TestSqs;
  let clock: ManualClock;
  let timers: ManualTimers;
  let sender: SqsSender;
  let fraction: number;
  beforeEach(async () => {
    tested = await createTestSqs();
    clock = createManualClock();
    timers = createManualTimers(clock);
    fraction = 0;
    sender = senderTo(tested.queueUrl);
  });
  afterEach(() => tested.stop());

  const senderTo = (queueUrl: string): SqsSender => {
    const callInBatches = createCallInBatches(timers, { fraction: () => fraction });
    return createSqsSender(tested.sqs, queueUrl, timers, callInBatches);
  };
  const send = (numbers: readonly number[]): Promise<void>[] =>
    numbers.map((number) => sender.send(messageOf(number)));
  const batchSizes = () => tested.callsOf('SendMessageBatch').map(({ input }) => sizeOf(input));
  const stored = async (): Promise<number> =>
    (await createSqsDepth(tested.sqs, tested.queueUrl, clock)()).waiting;

  test('a hundred messages at once are ten calls', async () => {
    await Promise.all(send(upTo(100)));
    expect(batchSizes()).toEqual(Array(10).fill(10));
    expect(await stored()).toBe(100);
  });

  test('a message waits five milliseconds for others and no longer', async () => {
    const early = send([1, 2]);
    clock.move(4);
    const late = send([3]);
    await nextTurn();
    expect(batchSizes()).toEqual([]);
    clock.move(1);
    await Promise.all([...early, ...late]);
    expect(batchSizes()).toEqual([3]);
  });

  test('who comes after a full batch has five milliseconds of its own', async () => {
    const full = send([1]);
    clock.move(3);
    full.push(...send(upTo(9)));
    const next = send([11]);
    clock.move(4);
    await Promise.all(full);
    expect(batchSizes()).toEqual([10]);
    clock.move(1);
    await Promise.all(next);
    expect(batchSizes()).toEqual([10, 1]);
  });

  test('no more than 32 calls are made at a time, and those that waited go together', async () => {
    const release = tested.hold();
    const sent = send(upTo(320));
    for (const number of upTo(10)) {
      sent.push(...send([number]));
      clock.move(5);
    }
    await until(() => batchSizes().length === 32);
    await nextTurn();
    expect(batchSizes()).toEqual(Array(32).fill(10));
    release();
    await Promise.all(sent);
    expect(batchSizes()).toEqual(Array(33).fill(10));
    expect(await stored()).toBe(330);
  });

  test('beyond 20,000 that wait a message is refused, as something to try again', async () => {
    const release = tested.hold();
    tested.intercept(async ({ input }) => ({ Successful: input.Entries }));
    const sent = send(upTo(320 + 20_000));
    await expect(sender.send(messageOf(1))).rejects.toMatchObject({
      code: 'OVERLOADED',
      retryable: true,
    });
    release();
    await Promise.all(sent);
  });

  test('what SQS fails to take is sent again, alone and after a pause', async () => {
    fraction = 0.5;
    let failures = 2;
    tested.refuse((entry) => {
      if (!isOf(entry, 7) || failures === 0) return undefined;
      failures -= 1;
      return internalError;
    });
    const sent = Promise.all(send(upTo(10)));
    clock.move(5);
    for (const sizes of [[10], [10, 1]]) {
      await until(() => timers.sleeping === 1);
      clock.move(49);
      await nextTurn();
      expect(batchSizes()).toEqual(sizes);
      clock.move(1);
    }
    await sent;
    expect(batchSizes()).toEqual([10, 1, 1]);
    expect(await stored()).toBe(10);
  });

  test('after three tries a message fails, retryably, and no other with it', async () => {
    tested.refuse((entry) => (isOf(entry, 7) ? internalError : undefined));
    const outcomes = await Promise.allSettled(send(upTo(10)));
    expect(failedOf(outcomes)).toEqual([7]);
    expect(outcomes[6]).toMatchObject({ reason: { code: 'UNAVAILABLE', retryable: true } });
    expect(batchSizes()).toEqual([10, 1, 1]);
    expect(await stored()).toBe(9);
  });

  test('a message that SQS will not have fails at once, and no other with it', async () => {
    tested.refuse((entry) => (isOf(entry, 7) ? invalidContents : undefined));
    const outcomes = await Promise.allSettled(send(upTo(10)));
    expect(failedOf(outcomes)).toEqual([7]);
    expect(outcomes[6]).toMatchObject({ reason: { code: 'INTERNAL', retryable: false } });
    expect(batchSizes()).toEqual([10]);
    expect(await stored()).toBe(9);
  });

  test('what the answer does not mention was not sent', async () => {
    tested.intercept(async () => ({ Successful: [] }));
    const [outcome] = await Promise.allSettled(send(upTo(10)));
    expect(outcome).toMatchObject({ reason: { code: 'UNAVAILABLE', retryable: true } });
  });

  test('a call that fails as a whole fails all its messages, with the reason', async () => {
    sender = senderTo(`${tested.queueUrl}-that-is-not`);
    const outcomes = await Promise.allSettled(send(upTo(10)));
    expect(failedOf(outcomes)).toEqual(upTo(10));
    expect(outcomes[0]).toMatchObject({
      reason: { name: 'Fault', code: 'UNAVAILABLE', message: expect.stringContaining('SQS') },
    });
    expect(batchSizes()).toEqual([10]);
  });

  test('a failed retry does not fail what was already taken', async () => {
    let isFirst = true;
    tested.intercept(async ({ input }, pass) => {
      if (!isFirst) throw new Error('The line is cut.');
      isFirst = false;
      return pass(input);
    });
    tested.refuse((entry) => (isOf(entry, 7) ? internalError : undefined));
    expect(failedOf(await Promise.allSettled(send(upTo(10))))).toEqual([7]);
  });
});

const internalError = { Code: 'InternalError', SenderFault: false };
const invalidContents = { Code: 'InvalidMessageContents', SenderFault: true };

function messageOf(number: number): SqsMessage {
  const requestId = `019ca6b1-dc00-7000-8000-${String(number).padStart(12, '0')}` as RequestId;
  return { eventId: 'spring' as EventId, requestId, redriven: false };
}

function isOf({ MessageBody }: { readonly MessageBody?: string }, number: number): boolean {
  return MessageBody === encodeSqsMessage(messageOf(number));
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function sizeOf({ Entries = [] }: { readonly Entries?: readonly unknown[] }): number {
  return Entries.length;
}

function failedOf(outcomes: readonly PromiseSettledResult<void>[]): number[] {
  return upTo(outcomes.length).filter((number) => outcomes[number - 1]?.status === 'rejected');
}
