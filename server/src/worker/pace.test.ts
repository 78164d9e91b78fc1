import { beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../test/support/manual-clock.ts';
import { createManualTimers, type ManualTimers } from '../../test/support/manual-timers.ts';
import { createPace, unlimitedPace } from './pace.ts';

describe('a pace', () => {
  let clock: ManualClock;
  let timers: ManualTimers;
  const running = new AbortController().signal;

  beforeEach(() => {
    clock = createManualClock();
    timers = createManualTimers(clock);
  });

  test('allows a second’s worth at once and then nothing', async () => {
    const pace = createPace(10, clock, timers);
    expect(await pace.allow(4, running)).toBe(4);
    expect(await pace.allow(100, running)).toBe(6);
    const waiting = pace.allow(100, running);
    clock.move(100);
    expect(await waiting).toBe(1);
  });

  test('fills with time, up to one second’s worth', async () => {
    const pace = createPace(10, clock, timers);
    await pace.allow(10, running);
    clock.move(500);
    expect(await pace.allow(100, running)).toBe(5);
    clock.move(60_000);
    expect(await pace.allow(100, running)).toBe(10);
  });

  test('what was not used is given again', async () => {
    const pace = createPace(10, clock, timers);
    await pace.allow(10, running);
    pace.refund(7);
    expect(await pace.allow(100, running)).toBe(7);
  });

  test('a refund never makes more than a second’s worth', async () => {
    const pace = createPace(10, clock, timers);
    pace.refund(50);
    expect(await pace.allow(100, running)).toBe(10);
  });

  test('over a minute no more passes than the rate allows', async () => {
    const pace = createPace(3, clock, timers);
    let passed = 0;
    const stopping = new AbortController();
    const consume = (async () => {
      while (!stopping.signal.aborted) passed += await pace.allow(2, stopping.signal);
    })();
    for (let tick = 0; tick < 600; tick += 1) {
      clock.move(100);
      await Promise.resolve().then(() => undefined);
    }
    stopping.abort();
    await consume;
    expect(passed).toBeLessThanOrEqual(3 * 60 + 3);
    expect(passed).toBeGreaterThan(3 * 50);
  });

  test('a stop ends the wait with nothing', async () => {
    const pace = createPace(1, clock, timers);
    await pace.allow(1, running);
    const stopping = new AbortController();
    const waiting = pace.allow(1, stopping.signal);
    stopping.abort();
    expect(await waiting).toBe(0);
  });

  test('without a limit everything asked for is allowed', async () => {
    expect(await unlimitedPace.allow(1000, running)).toBe(1000);
  });
});
