import { isFinal } from '../../domain/request.ts';
import { rangeOfLane } from './lane-board.ts';
import type { Environment } from './lmdb-environment.ts';
import { idBytesOfMessage } from './lmdb-keys.ts';
import { readProgress } from './request-record.ts';

export interface Walk {
  readonly present: ReadonlySet<Buffer>;
  /** The oldest message that is neither ours nor settled; ours behind it must wait. */
  readonly barrier: Buffer | undefined;
}

/** Walks the lane from its front: which of our messages are still in it, and up to where. */
export function walkLane(env: Environment, eventNo: number, keys: readonly Buffer[]): Walk {
  const present = new Set<Buffer>();
  let index = 0;
  for (const stored of env.queue.getKeys(rangeOfLane(eventNo))) {
    let ours = keys[index];
    while (ours !== undefined && ours.compare(stored) < 0) {
      index += 1;
      ours = keys[index];
    }
    if (ours === undefined) break;
    if (ours.equals(stored)) {
      present.add(ours);
      index += 1;
    } else if (!isSettled(env, stored)) {
      return { present, barrier: stored };
    }
  }
  return { present, barrier: undefined };
}

function isSettled(env: Environment, key: Buffer): boolean {
  const record = env.requests.get(idBytesOfMessage(key));
  return record === undefined || isFinal(readProgress(record).status);
}
