import { bytesOf } from '../../domain/request-id-bytes.ts';
import { type Line, notInLine } from '../../ports/line.ts';
import type { LaneBoard } from './lane-board.ts';
import type { Environment } from './lmdb-environment.ts';
import type { EventRegistry } from './lmdb-events.ts';
import { readOrdinal } from './request-record.ts';

/** An event is settled in order, so whoever came later than the last settled is still in line. */
export function createLmdbLine(env: Environment, registry: EventRegistry, board: LaneBoard): Line {
  return {
    standingOf(request) {
      if (request.status !== 'QUEUED') return notInLine;
      const record = env.requests.get(bytesOf(request.requestId));
      if (record === undefined) return notInLine;
      const lane = board.laneOf(registry.numberOf(request.eventId));
      const position = Math.max(0, readOrdinal(record) - lane.settledThrough - 1);
      const etaMs = lane.messageMs === null ? null : Math.ceil((position + 1) * lane.messageMs);
      return { position, etaMs };
    },
  };
}
