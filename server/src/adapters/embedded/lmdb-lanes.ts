import type { Capacity } from '../../domain/capacity.ts';
import { invariant } from '../../domain/invariant.ts';
import { emptyTally, type MutableTally } from '../../domain/tally.ts';
import { decodeJson, type Environment, encodeJson } from './lmdb-environment.ts';
import { lmdbKeys } from './lmdb-keys.ts';

/** What is stored of an event's settling. Ids are 32 hex digits, which sort in queue order. */
export interface LaneState {
  capacity: Capacity;
  /** Moves out of QUEUED; how many ever came in is the door's to know. */
  tally: MutableTally;
  /** The highest ordinal that has left the queue. */
  settledThrough: number;
  earliestRejected: string | null;
  latestWinner: string | null;
  deadLetters: number;
}

export interface LaneChange<Result> {
  readonly result: Result;
  /** What is written together with the lane; absent when nothing is to change. */
  readonly writes?: () => void;
  readonly committed?: () => void;
}

export interface Lanes {
  read(eventNo: number): LaneState;
  /**
   * Everything that moves an event's requests or its capacity goes through here, one change at a
   * time: the plan is made on a fresh copy and committed only if the lane is still what the plan
   * saw, else it is made again.
   */
  change<Result>(eventNo: number, plan: (draft: LaneState) => LaneChange<Result>): Promise<Result>;
}

export function createLanes(env: Environment): Lanes {
  const load = (eventNo: number): { state: LaneState; version: number } => {
    const entry = env.lanes.getEntry(lmdbKeys.event(eventNo));
    invariant(entry?.version !== undefined, 'Every event has a lane.');
    return { state: decodeJson<LaneState>(entry.value), version: entry.version };
  };

  return {
    read: (eventNo) => load(eventNo).state,

    async change(eventNo, plan) {
      for (;;) {
        const { state, version } = load(eventNo);
        const { result, writes, committed } = plan(state);
        if (writes === undefined) return result;
        invariant(state.capacity.capacityRemaining >= 0, 'Capacity never goes below zero.');
        const key = lmdbKeys.event(eventNo);
        const kept = await env.writeIf('lanes', key, version, () => {
          writes();
          env.lanes.put(key, encodeJson(state), version + 1);
        });
        if (kept) {
          committed?.();
          return result;
        }
      }
    },
  };
}

export function emptyLane(capacity: Capacity): LaneState {
  return {
    capacity,
    tally: emptyTally(),
    settledThrough: 0,
    earliestRejected: null,
    latestWinner: null,
    deadLetters: 0,
  };
}
