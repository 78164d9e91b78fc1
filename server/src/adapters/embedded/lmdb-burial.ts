import { receivesExhausted } from '../../domain/receives-exhausted.ts';
import { type Failure, fail, isFinal, startProcessing } from '../../domain/request.ts';
import type { DeadLetterWriter } from './lmdb-dead-letters.ts';
import type { Environment } from './lmdb-environment.ts';
import { idBytesOfMessage } from './lmdb-keys.ts';
import type { LaneState } from './lmdb-lanes.ts';
import { readReceiveCount } from './lmdb-messages.ts';
import type { PlannedMoves, RequestMoves } from './lmdb-request-moves.ts';
import { notBeforeQueued, readProgress } from './request-record.ts';

export interface StoredMessage {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Part of a change of the lane; what it returns is run within the lane's write. */
export type PlanBurial = (
  eventNo: number,
  draft: LaneState,
  exhausted: readonly StoredMessage[],
  now: number,
) => () => void;

/** What was received as often as allowed becomes a dead letter, its request failed. */
export function createBurial(
  env: Environment,
  moves: RequestMoves,
  deadLetters: DeadLetterWriter,
): PlanBurial {
  return (eventNo, draft, exhausted, now) => {
    const planned = moves.begin(eventNo, draft);
    const burials = exhausted.flatMap(({ key, value }) => {
      const idBytes = Buffer.from(idBytesOfMessage(key));
      const failure = failureOf(planned, idBytes, now);
      if (failure?.failureClass !== 'RETRYABLE') return [];
      return [{ idBytes, receiveCount: readReceiveCount(value) ?? 0, failure }];
    });
    draft.deadLetters += burials.length;
    return () => {
      planned.write();
      for (const { key } of exhausted) env.queue.remove(key);
      for (const { idBytes, receiveCount, failure } of burials) {
        deadLetters.write(eventNo, idBytes, receiveCount, failure, now);
      }
    };
  };
}

/** Why the request failed; one that has no end yet gets it now. Null when none needs mending. */
function failureOf(planned: PlannedMoves, idBytes: Buffer, now: number): Failure | null {
  const record = planned.read(idBytes);
  if (record === undefined) return null;
  const before = readProgress(record);
  if (isFinal(before.status)) return before.failure;
  const at = notBeforeQueued(record, now);
  const started = startProcessing(before, at);
  planned.move(idBytes, record, before, fail(started, 'FAILED_WORKER', receivesExhausted, at));
  return receivesExhausted;
}
