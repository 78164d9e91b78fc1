import { isFinal, type Progress } from '../../domain/request.ts';
import { requestIdOf } from '../../domain/request-id-bytes.ts';
import { countMove, isDisplaced } from '../../domain/tally.ts';
import type { StatusChange } from '../../domain/timeline.ts';
import { collectDelays } from './lmdb-delays.ts';
import type { Environment } from './lmdb-environment.ts';
import type { EventRegistry } from './lmdb-events.ts';
import type { LaneState } from './lmdb-lanes.ts';
import { requestOf } from './lmdb-requests.ts';
import { newChanges, type StatusLogLevel, writeLog } from './lmdb-status-log.ts';
import { readOrdinal, readQueuedAt, withProgress } from './request-record.ts';

/**
 * Moves of an event's requests, planned together with its lane: each move is counted in the lane's
 * tally and in the delays, and all of it is written in the lane's own write.
 */
export interface PlannedMoves {
  read(idBytes: Buffer): Buffer | undefined;
  move(
    idBytes: Buffer,
    record: Buffer,
    before: Progress,
    after: Progress,
    ...log: StatusChange[]
  ): void;
  write(): void;
}

export interface RequestMoves {
  begin(eventNo: number, draft: LaneState): PlannedMoves;
}

interface Move {
  readonly idBytes: Buffer;
  readonly record: Buffer;
  readonly after: Progress;
  readonly changed: Buffer;
  readonly log: readonly StatusChange[];
}

export function createRequestMoves(
  env: Environment,
  registry: EventRegistry,
  statusLog: StatusLogLevel,
): RequestMoves {
  return {
    begin(eventNo, draft) {
      const delays = collectDelays(env, eventNo);
      const moves: Move[] = [];

      const logOf = ({ idBytes, record, changed, log }: Move): readonly StatusChange[] => {
        if (statusLog === 'exceptions') return log;
        const before = requestOf(registry, requestIdOf(idBytes), record);
        const after = requestOf(registry, requestIdOf(idBytes), changed);
        return [...(before && after ? newChanges(before, after) : []), ...log];
      };

      return {
        read: (idBytes) => env.requests.get(idBytes),

        move(idBytes, record, before, after, ...log) {
          countMove(draft.tally, before, after);
          delays.move(readQueuedAt(record), before, after);
          trackOrder(draft, idBytes, after);
          if (isFinal(after.status)) {
            draft.settledThrough = Math.max(draft.settledThrough, readOrdinal(record));
          }
          moves.push({ idBytes, record, after, changed: withProgress(record, after), log });
        },

        write() {
          for (const move of moves) {
            env.requests.put(move.idBytes, move.changed);
            const changes = logOf(move);
            if (changes.length > 0) writeLog(env, move.idBytes, changes);
          }
          delays.write();
        },
      };
    },
  };
}

/** Keeps the two ends between which an inversion could lie. */
function trackOrder(draft: LaneState, idBytes: Buffer, after: Progress): void {
  if (after.status === 'SUCCEEDED') {
    const id = idBytes.toString('hex');
    if (draft.latestWinner === null || id > draft.latestWinner) draft.latestWinner = id;
  } else if (after.resultCode === 'REJECTED_CAPACITY' && !isDisplaced(after)) {
    if (draft.earliestRejected === null || isEarlier(idBytes, draft.earliestRejected)) {
      draft.earliestRejected = idBytes.toString('hex');
    }
  }
}

function isEarlier(idBytes: Buffer, id: string): boolean {
  return idBytes.toString('hex') < id;
}
