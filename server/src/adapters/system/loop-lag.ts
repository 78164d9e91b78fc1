import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopLag {
  /** The 99th percentile since the last reading, in seconds. */
  read(): number;
  stop(): void;
}

/** How long this thread's event loop kept what was due waiting. */
export function createLoopLag(): LoopLag {
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  return {
    read() {
      const seconds = delays.percentile(99) / 1e9;
      delays.reset();
      return seconds;
    },
    stop: () => delays.disable(),
  };
}
