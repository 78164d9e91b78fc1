import { redrive } from '../../domain/request.ts';
import { bytesOf } from '../../domain/request-id-bytes.ts';
import { changesForgottenBy } from '../../domain/timeline.ts';
import { type Redelivered, type Redelivery, redeliverable } from '../../ports/redelivery.ts';
import type { ChangeNotices } from '../system/change-notices.ts';
import type { LaneBoard } from './lane-board.ts';
import type { DeadLetterWriter } from './lmdb-dead-letters.ts';
import type { Environment } from './lmdb-environment.ts';
import { lmdbKeys } from './lmdb-keys.ts';
import type { Lanes } from './lmdb-lanes.ts';
import { newMessage } from './lmdb-messages.ts';
import type { RequestMoves } from './lmdb-request-moves.ts';
import { decodeRequest } from './request-record.ts';

/** Status, message and dead letter change in one write here. */
export function createLmdbRedelivery(
  env: Environment,
  lanes: Lanes,
  board: LaneBoard,
  moves: RequestMoves,
  deadLetters: DeadLetterWriter,
  notices: ChangeNotices,
): Redelivery {
  return {
    async redeliver(requestId, reason, occurredAt) {
      const idBytes = bytesOf(requestId);
      const stored = env.requests.get(idBytes);
      if (stored === undefined) return { kind: 'missing' };
      const { eventNo } = decodeRequest(stored);
      const lane = board.laneOf(eventNo);
      const outcome = await lanes.change<Redelivered>(eventNo, (draft) => {
        const planned = moves.begin(eventNo, draft);
        const record = planned.read(idBytes);
        if (record === undefined) return { result: { kind: 'missing' } };
        const { progress } = decodeRequest(record);
        if (progress.resultCode === null || !redeliverable.includes(progress.resultCode)) {
          return { result: { kind: 'not-failed' } };
        }
        planned.move(
          idBytes,
          record,
          progress,
          redrive(progress),
          ...changesForgottenBy(progress),
          {
            fromStatus: 'FAILED_FINAL',
            toStatus: 'QUEUED',
            occurredAt,
            message: reason,
          },
        );
        const key = lmdbKeys.message(eventNo, idBytes);
        const isNew = !env.queue.doesExist(key);
        const removeDeadLetter = deadLetters.planRemoval(idBytes);
        if (removeDeadLetter !== undefined) draft.deadLetters -= 1;
        return {
          result: { kind: 'queued' },
          writes: () => {
            planned.write();
            env.queue.put(key, newMessage);
            removeDeadLetter?.();
          },
          committed: () => board.grow(lane.eventNo, isNew ? 1 : 0),
        };
      });
      if (outcome.kind === 'queued') notices.notify(requestId);
      return outcome;
    },
  };
}
