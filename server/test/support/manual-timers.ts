import type { Timers } from '../../src/ports/timers.ts';
import type { ManualClock } from './manual-clock.ts';

export interface ManualTimers extends Timers {
  /** How many sleeps have not ended yet. */
  readonly sleeping: number;
}

/** Timers that follow a manual clock: a sleep ends when the clock is moved past it, or by abort. */
export function createManualTimers(clock: ManualClock): ManualTimers {
  const sleeps = new Set<{ until: number; end: () => void }>();

  clock.onMove(() => {
    for (const sleep of [...sleeps]) if (sleep.until <= clock.now()) sleep.end();
  });

  const timers: ManualTimers = {
    get sleeping() {
      return sleeps.size;
    },
    sleep(durationMs, signal) {
      if (signal?.aborted) return Promise.resolve();
      if (durationMs <= 0) return nextTurn();
      return new Promise((resolve) => {
        const end = () => {
          sleeps.delete(sleep);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const sleep = { until: clock.now() + durationMs, end };
        sleeps.add(sleep);
        signal?.addEventListener('abort', end, { once: true });
      });
    },
    soon(task) {
      setImmediate(task);
    },
    every(intervalMs, task) {
      const stopped = new AbortController();
      void repeat(timers, intervalMs, task, stopped.signal);
      return { stop: () => stopped.abort() };
    },
  };
  return timers;
}

/** One turn of the event loop: whatever was ready has run after it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets the event loop turn until the condition holds; the runner's own limit ends it otherwise. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await nextTurn();
}

async function repeat(
  timers: Timers,
  intervalMs: number,
  task: () => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await timers.sleep(intervalMs, signal);
    if (!signal.aborted) await task();
  }
}
