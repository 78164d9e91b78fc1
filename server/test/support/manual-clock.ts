import type { Clock } from '../../src/ports/clock.ts';

/** A clock that stands still until it is moved, in either direction. */
export interface ManualClock extends Clock {
  /** Moves the time; a negative number moves it back, as a bad time server would. */
  move(byMs: number): void;
  onMove(listener: () => void): void;
}

export function createManualClock(startAt: number = sampleStartAt): ManualClock {
  const listeners: (() => void)[] = [];
  let now = startAt;
  return {
    now: () => now,
    move(byMs) {
      now += byMs;
      for (const listener of listeners) listener();
    },
    onMove(listener) {
      listeners.push(listener);
    },
  };
}

/** 2026-03-01T00:00:00Z: any fixed time would do. */
const sampleStartAt = Date.UTC(2026, 2, 1);
