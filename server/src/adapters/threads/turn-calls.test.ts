import { MessageChannel } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Fault } from '../../domain/errors.ts';
import { systemTimers } from '../system/system-timers.ts';
import { answerAcross, type CallingEnd, callAcross, jsonCodec } from './turn-calls.ts';

const codecs = { argument: jsonCodec, result: jsonCodec };

describe('calls across threads', () => {
  test('each gets its own answer, whatever the order of the answers', async () => {
    const finish = new Map<number, () => void>();
    const { call } = connect(async (argument: number) => {
      await new Promise<void>((done) => finish.set(argument, done));
      return argument * 10;
    });
    const answers = Promise.all([1, 2, 3].map(call));
    while (finish.size < 3) await systemTimers.sleep(0);
    for (const argument of [3, 1, 2]) finish.get(argument)?.();
    expect(await answers).toEqual([10, 20, 30]);
  });

  test('those of one turn travel in one message, and so do their answers', async () => {
    const { end, messages } = connectCounting(async (argument: number) => argument);
    await Promise.all(Array.from({ length: 100 }, (_, index) => end.call(index)));
    expect(messages()).toEqual({ there: 1, back: 1 });
  });

  test('text of several lines arrives whole', async () => {
    const { call } = connect(async (argument: string) => `${argument}!`);
    expect(await call('a\nb\r\n=c!')).toBe('a\nb\r\n=c!!');
  });

  test('a fault keeps its code, its message and whether a retry may help', async () => {
    const { call } = connect(async () => {
      throw new Fault('OVERLOADED', 'Too many wait.', { retryable: true });
    });
    const fault: Fault = await call(1).catch((error) => error);
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code: 'OVERLOADED', message: 'Too many wait.', retryable: true });
  });

  test('an error that nobody expected is an internal one, with where it came from', async () => {
    const { call } = connect(async () => {
      throw new TypeError('x is not a function');
    });
    const fault: Fault = await call(1).catch((error) => error);
    expect(fault).toMatchObject({ code: 'INTERNAL', retryable: false });
    expect(fault.cause).toMatchObject({ stack: expect.stringContaining('turn-calls.test') });
  });

  test('those without an answer are counted', async () => {
    const end = connect(async (argument: number) => argument);
    const called = end.call(1);
    expect(end.openCount).toBe(1);
    await called;
    expect(end.openCount).toBe(0);
  });
});

function connect<Argument, Result>(
  answer: (argument: Argument) => Promise<Result>,
): CallingEnd<Argument, Result> {
  return connectCounting(answer).end;
}

function connectCounting<Argument, Result>(answer: (argument: Argument) => Promise<Result>) {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  let there = 0;
  let back = 0;
  port2.on('message', () => (there += 1));
  port1.on('message', () => (back += 1));
  answerAcross(port2, systemTimers, codecs, answer);
  const end = callAcross<Argument, Result>(port1, systemTimers, codecs);
  return { end, messages: () => ({ there, back }) };
}
