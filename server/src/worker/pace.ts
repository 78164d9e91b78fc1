import type { Clock } from '../ports/clock.ts';
import type { Timers } from '../ports/timers.ts';

export interface Pace {
  /** How many messages may be taken now, at most `wanted`; waits until at least one may. */
  allow(wanted: number, signal: AbortSignal): Promise<number>;
  /** Returns what was allowed and not used. */
  refund(count: number): void;
}

/** A bucket that fills at the given rate and holds one second's worth. */
export function createPace(ratePerSecond: number, clock: Clock, timers: Timers): Pace {
  let available = ratePerSecond;
  let filledAt = clock.now();

  const fill = (): void => {
    const now = clock.now();
    const gained = ((now - filledAt) * ratePerSecond) / 1000;
    available = Math.min(ratePerSecond, available + gained);
    filledAt = now;
  };

  return {
    async allow(wanted, signal) {
      fill();
      while (available < 1 && !signal.aborted) {
        await timers.sleep(Math.ceil(((1 - available) * 1000) / ratePerSecond), signal);
        fill();
      }
      const allowed = Math.min(wanted, Math.max(0, Math.floor(available)));
      available -= allowed;
      return allowed;
    },
    refund(count) {
      available += count;
    },
  };
}

export const unlimitedPace: Pace = {
  allow: async (wanted) => wanted,
  refund: () => {},
};
