import type { Progress } from '../../domain/request.ts';
import type { Item } from './dynamo-table.ts';
import type { Move } from './event-tallies.ts';

export type DelayKind = 'queue' | 'e2e';

/**
 * Delays to the millisecond, those near each other in one item: the requests of one batch were
 * queued close together and end together, so a batch touches few of them.
 */
export function delayCounts(moves: readonly Move[]): Map<number, Record<string, number>> {
  const chunks = new Map<number, Record<string, number>>();
  const count = (kind: DelayKind, delayMs: number, by: 1 | -1): void => {
    const chunk = Math.floor(delayMs / chunkMs);
    const counts = chunks.get(chunk) ?? {};
    const name = `${prefixOf[kind]}${delayMs}`;
    chunks.set(chunk, { ...counts, [name]: (counts[name] ?? 0) + by });
  };
  for (const { queuedAt, before, after } of moves) {
    if (queuedAt === null) continue;
    for (const kind of kinds) {
      const was = delayOf(kind, queuedAt, before);
      const is = delayOf(kind, queuedAt, after);
      if (was === is) continue;
      if (was !== null) count(kind, was, -1);
      if (is !== null) count(kind, is, 1);
    }
  }
  return chunks;
}

/** How many requests had each delay, in ascending order. */
export function distributionOf(kind: DelayKind, items: readonly Item[]): [number, number][] {
  const counts = new Map<number, number>();
  for (const item of items) {
    for (const [name, count] of Object.entries(item)) {
      if (!delayName.test(name) || !name.startsWith(prefixOf[kind])) continue;
      const delayMs = Number(name.slice(1));
      counts.set(delayMs, (counts.get(delayMs) ?? 0) + Number(count));
    }
  }
  return [...counts].sort(([a], [b]) => a - b);
}

function delayOf(kind: DelayKind, queuedAt: number, progress: Progress): number | null {
  const end = kind === 'queue' ? progress.startedAt : progress.finishedAt;
  return end === null ? null : end - queuedAt;
}

const kinds: readonly DelayKind[] = ['queue', 'e2e'];
const prefixOf = { queue: 'q', e2e: 'e' } as const;
const delayName = /^[qe]\d+$/;
const chunkMs = 128;
