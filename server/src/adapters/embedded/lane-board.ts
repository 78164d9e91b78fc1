import type { LaneFlight } from './lane-flights.ts';
import type { Environment } from './lmdb-environment.ts';
import { lmdbKeys } from './lmdb-keys.ts';
import type { Lanes } from './lmdb-lanes.ts';

/** All lanes that this process has seen, which of them may be served, and who waits for one. */
export interface LaneBoard {
  laneOf(eventNo: number): LaneFlight;
  /** A lane with visible messages, each its turn; a flight past its time no longer counts. */
  nextReady(now: number): LaneFlight | undefined;
  /** When the next lane becomes visible by time alone; undefined if none will. */
  nextVisibleAt(): number | undefined;
  nonEmpty(): Iterable<LaneFlight>;
  /** Adds to a lane's depth and wakes who waits. */
  grow(eventNo: number, count: number): void;
  wake(): void;
  waitForWake(): Promise<void>;
}

export function createLaneBoard(env: Environment, lanes: Lanes): LaneBoard {
  const all = new Map<number, LaneFlight>();
  const occupied = new Set<LaneFlight>();
  let waiters: (() => void)[] = [];

  const board: LaneBoard = {
    laneOf(eventNo) {
      const known = all.get(eventNo);
      if (known !== undefined) return known;
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
      const known = all.get(eventNo);
      const lane = known ?? board.laneOf(eventNo);
      // A lane seen for the first time has counted what is stored, this growth included.
      if (known !== undefined) lane.depth += count;
      occupied.add(lane);
      board.wake();
    },

    wake() {
      const woken = waiters;
      waiters = [];
      for (const resume of woken) resume();
    },

    waitForWake: () => new Promise((resume) => waiters.push(resume)),
  };
  return board;
}

export function rangeOfLane(eventNo: number): { start: Buffer; end: Buffer } {
  return { start: lmdbKeys.event(eventNo), end: lmdbKeys.event(eventNo + 1) };
}
