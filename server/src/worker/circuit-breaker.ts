import { backOffMs } from '../domain/back-off.ts';
import type { Chance } from '../ports/chance.ts';
import type { Timers } from '../ports/timers.ts';

export interface CircuitBreaker {
  /**
   * Runs the task. When it fails, everyone is held back while this caller tries it again, each time
   * after a longer pause, until it succeeds: a dependency that is down meets one probe, no crowd.
   */
  run(task: () => Promise<void>, signal: AbortSignal): Promise<void>;
  readonly isOpen: boolean;
}

export function createCircuitBreaker(
  timers: Timers,
  chance: Chance,
  onFailure: (error: unknown) => void,
): CircuitBreaker {
  let recovery: Promise<void> | null = null;

  const probeUntilWell = async (task: () => Promise<void>, signal: AbortSignal): Promise<void> => {
    for (let failures = 1; !signal.aborted; failures += 1) {
      await timers.sleep(backOffMs(failures, chance.fraction(), pauseMsMax), signal);
      if (signal.aborted) return;
      try {
        return await task();
      } catch (error) {
        onFailure(error);
      }
    }
  };

  return {
    get isOpen() {
      return recovery !== null;
    },

    async run(task, signal) {
      while (recovery !== null && !signal.aborted) await recovery;
      if (signal.aborted) return;
      try {
        await task();
      } catch (error) {
        onFailure(error);
        recovery ??= probeUntilWell(task, signal).finally(() => {
          recovery = null;
        });
        await recovery;
      }
    },
  };
}

const pauseMsMax = 5000;
