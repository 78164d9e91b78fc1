import { invariant } from '../../domain/invariant.ts';
import type { LaneFlight } from './lane-flights.ts';
import type { Environment } from './lmdb-environment.ts';
import { lmdbKeys } from './lmdb-keys.ts';
import type { Lanes } from './lmdb-lanes.ts';

/** All lanes that this process has seen, which of them may be served, and who waits for one. */
export interface LaneBoard {
  /** Must come before anybody is admitted to the event: it counts what is stored. */
  open(eventNo: number): void;
  laneOf(eventNo: number): LaneFlight;
  /** A lane with visible messages, each its turn; a flight past its time no longer counts. */
  nextReady(now: number): LaneFlight | undefined;
  /** When the next lane becomes visible by time alone; undefined if none will. */
  nextVisibleAt(): number | undefined;
  nonEmpty(): Iterable<LaneFlight>;
  /** Adds to a lane's depth and wakes who waits. */
  grow(eventNo: number, count: number): void;
  wake(): void;
  /** Calls back once at the next wake, unless withdrawn before. */
  onWake(woken: () => void): { withdraw(): void };
}

export function createLaneBoard(env: Environment, lanes: Lanes): LaneBoard {
  const all = new Map<number, LaneFlight>();
  const occupied = new Set<LaneFlight>();
  const waiting = new Set<() => void>();

  const board: LaneBoard = {
    open(eventNo) {
      const lane = {
        eventNo,
        depth: env.queue.getKeysCount(rangeOfLane(eventNo)),
        flight: null,
        visibleAt: 0,
        settledThrough: lanes.read(eventNo).settledThrough,
        messageMs: null,
        pacedAt: null,
      };
      all.set(eventNo, lane);
      if (lane.depth > 0) occupied.add(lane);
    },

    laneOf(eventNo) {
      const lane = all.get(eventNo);
      invariant(lane !== undefined, 'Every event has its lane opened.');
      return lane;
    },

    nextReady(now) {
      for (const lane of occupied) {
        if (lane.flight !== null && lane.flight.until <= now) lane.flight = null;
        if (lane.depth === 0) occupied.delete(lane);
        else if (lane.flight === null && lane.visibleAt <= now) {
          occupied.delete(lane);
          occupied.add(lane);
          return lane;
        }
      }
      return undefined;
    },

    nextVisibleAt() {
      let next: number | undefined;
      for (const lane of occupied) {
        const at = Math.max(lane.visibleAt, lane.flight?.until ?? 0);
        if (next === undefined || at < next) next = at;
      }
      return next;
    },

    *nonEmpty() {
      for (const lane of occupied) if (lane.depth > 0) yield lane;
    },

    grow(eventNo, count) {
      const lane = board.laneOf(eventNo);
      lane.depth += count;
      occupied.add(lane);
      board.wake();
    },

    wake() {
      for (const woken of waiting) {
        waiting.delete(woken);
        woken();
      }
    },

    onWake(woken) {
      waiting.add(woken);
      return { withdraw: () => waiting.delete(woken) };
    },
  };
  return board;
}

export function rangeOfLane(eventNo: number): { start: Buffer; end: Buffer } {
  return { start: lmdbKeys.event(eventNo), end: lmdbKeys.event(eventNo + 1) };
}
