import { describe, expect, test } from 'vitest';
import { createLimitCalls } from './limit-calls.ts';

describe('a limit of calls', () => {
  test('lets so many run at once, and all in the end', async () => {
    const limit = createLimitCalls(3, 100);
    let running = 0;
    let most = 0;
    const call = async (value: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return value;
    };
    const values = Array.from({ length: 20 }, (_, index) => index);
    expect(await Promise.all(values.map((value) => limit(() => call(value))))).toEqual(values);
    expect(most).toBe(3);
  });

  test('a call that fails makes room as well', async () => {
    const limit = createLimitCalls(1, 100);
    const failing = limit(() => Promise.reject(new Error('no')));
    const next = limit(async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  test('an urgent call goes before those that wait', async () => {
    const limit = createLimitCalls(1, 100);
    const done: string[] = [];
    const call = (name: string) => async () => {
      done.push(name);
    };
    await Promise.all([
      limit(call('running')),
      limit(call('waiting')),
      limit.urgent(call('urgent')),
    ]);
    expect(done).toEqual(['running', 'urgent', 'waiting']);
  });

  test('refuses what is more than may wait', async () => {
    const limit = createLimitCalls(1, 1);
    const calls = [1, 2, 3].map((value) => limit(async () => value));
    await expect(Promise.all(calls)).rejects.toMatchObject({ code: 'OVERLOADED', retryable: true });
  });
});
