import { beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../test/support/manual-clock.ts';
import {
  createManualTimers,
  type ManualTimers,
  nextTurn,
  until,
} from '../../test/support/manual-timers.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

describe('a circuit breaker', () => {
  let clock: ManualClock;
  let timers: ManualTimers;
  let errors: unknown[];
  const running = new AbortController().signal;

  beforeEach(() => {
    clock = createManualClock();
    timers = createManualTimers(clock);
    errors = [];
  });

  const createBreaker = () =>
    createCircuitBreaker(timers, { fraction: () => 0 }, (error) => errors.push(error));

  const pause = async (ms: number): Promise<void> => {
    clock.move(ms);
    await nextTurn();
  };

  test('runs what works, side by side and without any pause', async () => {
    const breaker = createBreaker();
    const dependency = createDependency();
    await Promise.all([1, 2, 3].map(() => breaker.run(dependency.call, running)));
    expect(dependency.calls).toBe(3);
    expect(breaker.isOpen).toBe(false);
    expect(errors).toEqual([]);
  });

  test('a dependency that is down meets one probe at a time, no crowd', async () => {
    const breaker = createBreaker();
    const dependency = createDependency({ failures: 4 });
    const first = breaker.run(dependency.call, running);
    await until(() => breaker.isOpen);
    const others = [1, 2, 3].map(() => breaker.run(dependency.call, running));

    for (let probe = 0; probe < 3; probe += 1) {
      await nextTurn();
      expect(dependency.calls).toBe(1 + probe);
      expect(timers.sleeping).toBe(1);
      await pause(30_000);
    }
    expect(breaker.isOpen).toBe(true);
    await pause(30_000);

    await Promise.all([first, ...others]);
    expect(breaker.isOpen).toBe(false);
    expect(dependency.calls).toBe(5 + others.length);
    expect(errors).toHaveLength(4);
  });

  test('each pause is longer than the one before', async () => {
    const breaker = createBreaker();
    const dependency = createDependency({ failures: 3 });
    const run = breaker.run(dependency.call, running);
    await until(() => timers.sleeping === 1);
    for (const [probes, pauseMs] of [125, 250, 500].entries()) {
      await pause(pauseMs - 1);
      expect(dependency.calls).toBe(1 + probes);
      await pause(1);
      expect(dependency.calls).toBe(2 + probes);
    }
    await run;
  });

  test('several that fail together are probed for by one of them', async () => {
    const breaker = createBreaker();
    const dependency = createDependency({ failures: 3 });
    const runs = [1, 2, 3].map(() => breaker.run(dependency.call, running));
    await until(() => timers.sleeping > 0);
    expect(timers.sleeping).toBe(1);
    await pause(30_000);
    await Promise.all(runs);
    expect(dependency.calls).toBe(4);
    expect(errors).toHaveLength(3);
  });

  test('after a recovery it opens again at the next failure', async () => {
    const breaker = createBreaker();
    for (let outage = 0; outage < 2; outage += 1) {
      const run = breaker.run(createDependency({ failures: 1 }).call, running);
      await until(() => breaker.isOpen);
      await pause(30_000);
      await run;
      expect(breaker.isOpen).toBe(false);
    }
  });

  test('a stop ends the waiting of everybody, without another probe', async () => {
    const breaker = createBreaker();
    const dependency = createDependency({ failures: 99 });
    const stopping = new AbortController();
    const runs = [1, 2].map(() => breaker.run(dependency.call, stopping.signal));
    await until(() => timers.sleeping === 1);
    const calls = dependency.calls;
    stopping.abort();
    await Promise.all(runs);
    await breaker.run(dependency.call, stopping.signal);
    expect(dependency.calls).toBe(calls);
  });
});

/** Something that fails a number of times and then works. */
function createDependency({ failures = 0 } = {}) {
  const dependency = {
    calls: 0,
    async call(): Promise<void> {
      dependency.calls += 1;
      if (dependency.calls <= failures) throw new Error('down');
    },
  };
  return dependency;
}
