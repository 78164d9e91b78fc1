export interface Timers {
  /** Resolves after the time, or at once when the signal aborts. Never rejects. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
  /** Runs the task after the current turn of the event loop, before any timer. */
  soon(task: () => void): void;
  /** Runs the task again and again, the next time only after the last has ended. */
  every(intervalMs: number, task: () => void | Promise<void>): { stop(): void };
}
