import type { Event } from '../domain/event.ts';
import type { Percentiles } from '../domain/percentile.ts';
import type { Tally } from '../domain/tally.ts';

export interface EventStatistics extends Tally {
  /** Winners with an earlier-queued request that was rejected for capacity, displaced ones apart. */
  readonly inversions: number;
  readonly deadLetters: number;
  readonly queueDelayMs: Percentiles;
  readonly e2eDelayMs: Percentiles;
}

export interface Statistics {
  /** Exact at the moment of asking, whatever crashed before, and cheap at a million requests. */
  of(event: Event): Promise<EventStatistics>;
}
