import type { Clock } from '../ports/clock.ts';

export interface RateLimit {
  /** Counts one call; 0 when it may go on, else the seconds until it would. */
  take(userId: string, address: string): number;
}

/**
 * Counts calls by user and by address in windows of ten seconds. Our own, because the counters of
 * @fastify/rate-limit live in a cache of fixed size that forgets users exactly when a spike brings
 * more of them than fit; these are forgotten together, at the end of the window.
 */
export function createRateLimit(
  limits: { readonly userMax: number; readonly addressMax: number },
  clock: Clock,
): RateLimit {
  let window = -1;
  let users = new Map<string, number>();
  let addresses = new Map<string, number>();

  return {
    take(userId, address) {
      if (limits.userMax === 0 && limits.addressMax === 0) return 0;
      const now = clock.now();
      const current = Math.floor(now / windowMs);
      if (current !== window) {
        window = current;
        users = new Map();
        addresses = new Map();
      }
      const isOver =
        count(users, userId, limits.userMax) || count(addresses, address, limits.addressMax);
      return isOver ? Math.ceil((windowMs - (now % windowMs)) / 1000) : 0;
    },
  };
}

function count(counts: Map<string, number>, name: string, max: number): boolean {
  if (max === 0) return false;
  const calls = (counts.get(name) ?? 0) + 1;
  if (calls > max) return true;
  if (counts.size < namesMax || counts.has(name)) counts.set(name, calls);
  return false;
}

const windowMs = 10_000;
/** Bounds the memory; beyond it a window’s newcomers go uncounted. */
const namesMax = 300_000;
