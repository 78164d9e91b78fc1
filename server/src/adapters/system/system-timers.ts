import type { Timers } from '../../ports/timers.ts';

export const systemTimers: Timers = {
  sleep(durationMs, signal) {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, durationMs);
      signal?.addEventListener('abort', end, { once: true });
    });
  },

  soon(task) {
    setImmediate(task);
  },

  every(intervalMs, task) {
    const stopped = new AbortController();
    void repeat(intervalMs, task, stopped.signal);
    return { stop: () => stopped.abort() };
  },
};

async function repeat(
  intervalMs: number,
  task: () => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await systemTimers.sleep(intervalMs, signal);
    if (!signal.aborted) await task();
  }
}
