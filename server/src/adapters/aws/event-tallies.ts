import type { EventId, RequestId } from '../../domain/ids.ts';
import { keys, queuePlace } from '../../domain/keys.ts';
import type { Progress } from '../../domain/request.ts';
import { countMove, emptyTally, isDisplaced } from '../../domain/tally.ts';
import { delayCounts } from './delay-chunks.ts';
import type { Write } from './dynamo-table.ts';
import { updateItem } from './write-items.ts';

/** One request's step, as it is to be counted. */
export interface Move {
  readonly requestId: RequestId;
  readonly queuedAt: number | null;
  readonly before: Progress;
  readonly after: Progress;
}

export interface EventTallies {
  /** The writes that count these moves: they belong into the transaction that makes the moves. */
  count(eventId: EventId, moves: readonly Move[], deadLettersBy?: -1): Write[];
  /** The same for a dead letter that comes (1) or goes (-1). */
  countDeadLetter(eventId: EventId, by: 1 | -1): Write;
}

/**
 * Every process counts in items of its own, so that two never wait for each other; a summary adds
 * them up. An item's first rejection and last win are what an inversion is looked for between.
 */
export function createEventTallies(processId: string): EventTallies {
  const extremes = new Map<EventId, Extremes>();

  /** A transaction that is refused after this leaves the range too wide: who reads it looks closer. */
  const widen = (eventId: EventId, moves: readonly Move[]): Extremes => {
    const before = extremes.get(eventId) ?? {};
    const after = moves.reduce(withMove, before);
    extremes.set(eventId, after);
    return after;
  };

  return {
    count(eventId, moves, deadLettersBy) {
      const counts = updateItem(keys.eventStats(eventId, processId), {
        set: { entityType, ...widen(eventId, moves) },
        add: { ...countsOf(moves), ...(deadLettersBy && { deadLetters: deadLettersBy }) },
      });
      const delays = [...delayCounts(moves)].map(([chunk, add]) =>
        updateItem(keys.eventStats(eventId, `${processId}#D${chunk}`), {
          set: { entityType },
          add,
        }),
      );
      return [counts, ...delays];
    },

    countDeadLetter: (eventId, by) =>
      updateItem(keys.eventStats(eventId, processId), {
        set: { entityType },
        add: { deadLetters: by },
      }),
  };
}

const entityType = 'EVENT_STATS';

export interface Extremes {
  readonly firstRejected?: string;
  readonly lastWinner?: string;
}

function withMove(extremes: Extremes, { requestId, queuedAt, after }: Move): Extremes {
  if (queuedAt === null) return extremes;
  const place = queuePlace(queuedAt, requestId);
  const { firstRejected, lastWinner } = extremes;
  if (after.status === 'SUCCEEDED' && (lastWinner === undefined || place > lastWinner)) {
    return { ...extremes, lastWinner: place };
  }
  const isRejected = after.resultCode === 'REJECTED_CAPACITY' && !isDisplaced(after);
  if (isRejected && (firstRejected === undefined || place < firstRejected)) {
    return { ...extremes, firstRejected: place };
  }
  return extremes;
}

/** What waits is told by the index itself, so only what was begun is counted here. */
function countsOf(moves: readonly Move[]): Record<string, number> {
  const tally = emptyTally();
  for (const { before, after } of moves) countMove(tally, before, after);
  const { RECEIVED: _received, QUEUED: _queued, ...byStatus } = tally.byStatus;
  const counts = { ...byStatus, ...tally.byResultCode, displaced: tally.displaced };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}
