import type { Clock } from '../ports/clock.ts';
import { countCall, type SharedCounts } from './shared-counts.ts';

export interface RateLimit {
  /** Counts one call; 0 when it may go on, else the seconds until it would. */
  take(userId: string, address: string): number;
}

/**
 * Counts calls by user and by address in windows of ten seconds. Our own, because the counters of
 * @fastify/rate-limit live in a cache of fixed size that forgets users exactly when a spike brings
 * more of them than fit, and in one thread; these are of all threads together.
 */
export function createRateLimit(
  limits: { readonly userMax: number; readonly addressMax: number },
  counts: SharedCounts,
  clock: Clock,
): RateLimit {
  const isOver = (name: string, window: number, max: number): boolean =>
    max > 0 && countCall(counts, name, window) > max;

  return {
    take(userId, address) {
      if (limits.userMax === 0 && limits.addressMax === 0) return 0;
      const now = clock.now();
      const window = Math.floor(now / windowMs);
      if (
        isOver(userId, window, limits.userMax) ||
        isOver(`/${address}`, window, limits.addressMax)
      ) {
        return Math.ceil((windowMs - (now % windowMs)) / 1000);
      }
      return 0;
    },
  };
}

const windowMs = 10_000;
