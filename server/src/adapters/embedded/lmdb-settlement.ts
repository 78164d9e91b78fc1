import type { Event } from '../../domain/event.ts';
import {
  errorMessageCharactersMax,
  type Failure,
  fail,
  isFinal,
  startProcessing,
} from '../../domain/request.ts';
import { bytesOf } from '../../domain/request-id-bytes.ts';
import { settleFirstCome } from '../../domain/settle-first-come.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Message } from '../../ports/queue.ts';
import type { Settled, Settlement } from '../../ports/settlement.ts';
import type { ChangeNotices } from '../system/change-notices.ts';
import type { LaneBoard } from './lane-board.ts';
import { closeReceipt, LaneReceipt, measurePace } from './lane-flights.ts';
import type { Environment } from './lmdb-environment.ts';
import type { EventRegistry } from './lmdb-events.ts';
import { idBytesOfMessage, lmdbKeys } from './lmdb-keys.ts';
import type { LaneState, Lanes } from './lmdb-lanes.ts';
import type { PlannedMoves, RequestMoves } from './lmdb-request-moves.ts';
import { notBeforeQueued, readProgress, readQueuedAt } from './request-record.ts';
import { walkLane } from './walk-lane.ts';

export function createLmdbSettlement(
  env: Environment,
  registry: EventRegistry,
  lanes: Lanes,
  board: LaneBoard,
  moves: RequestMoves,
  notices: ChangeNotices,
  clock: Clock,
): Settlement {
  const settleOne = (
    event: Event,
    planned: PlannedMoves,
    draft: LaneState,
    idBytes: Buffer,
    startedAt: number,
    finishedAt: number,
  ): Settled => {
    const record = planned.read(idBytes);
    if (record === undefined) return { kind: 'missing' };
    const before = readProgress(record);
    if (isFinal(before.status)) return { kind: 'final', progress: before };
    const queuedAt = readQueuedAt(record);
    const { progress, capacity } = settleFirstCome(
      before,
      queuedAt,
      event.closesAt,
      draft.capacity,
      notBeforeQueued(record, startedAt),
      notBeforeQueued(record, finishedAt),
    );
    draft.capacity = capacity;
    planned.move(idBytes, record, before, progress);
    return { kind: 'settled', queuedAt, progress };
  };

  return {
    async settle(event, messages, startedAt, finishedAt) {
      const eventNo = registry.numberOf(event.eventId);
      const lane = board.laneOf(eventNo);
      const keys = messages.map((message) => keyOf(eventNo, message));
      const settled = await lanes.change<readonly Settled[]>(eventNo, (draft) => {
        const planned = moves.begin(eventNo, draft);
        const { present, barrier } = walkLane(env, eventNo, keys);
        const outcomes: Settled[] = [];
        const done: Buffer[] = [];
        let previous: Buffer | undefined;
        for (const key of keys) {
          const last = outcomes.at(-1);
          if (last !== undefined && previous?.equals(key)) {
            outcomes.push(last.kind === 'settled' ? { ...last, kind: 'final' } : last);
            continue;
          }
          previous = key;
          const outcome: Settled =
            barrier !== undefined && key.compare(barrier) > 0
              ? { kind: 'behind' }
              : settleOne(event, planned, draft, idBytesOfMessage(key), startedAt, finishedAt);
          outcomes.push(outcome);
          if (isDone(outcome) && present.has(key)) done.push(key);
        }
        return {
          result: outcomes,
          writes: () => {
            planned.write();
            for (const key of done) env.queue.remove(key);
          },
          committed: () => {
            lane.depth -= done.length;
            lane.settledThrough = draft.settledThrough;
            measurePace(lane, done.length, clock.now());
          },
        };
      });
      settled.forEach((outcome, index) => {
        const message = messages[index];
        if (message === undefined || !isDone(outcome)) return;
        if (message.receipt instanceof LaneReceipt) closeReceipt(message.receipt);
        if (outcome.kind === 'settled') notices.notify(message.requestId);
      });
      board.wake();
      return settled;
    },

    async fail(request, resultCode, failure, startedAt, finishedAt) {
      const eventNo = registry.numberOf(request.eventId);
      const lane = board.laneOf(eventNo);
      const idBytes = bytesOf(request.requestId);
      const outcome = await lanes.change<Settled>(eventNo, (draft) => {
        const planned = moves.begin(eventNo, draft);
        const record = planned.read(idBytes);
        if (record === undefined) return { result: { kind: 'missing' } };
        const before = readProgress(record);
        if (isFinal(before.status)) return { result: { kind: 'final', progress: before } };
        const started = startProcessing(before, notBeforeQueued(record, startedAt));
        const at = notBeforeQueued(record, finishedAt);
        const progress = fail(started, resultCode, failure, at);
        planned.move(idBytes, record, before, progress);
        return {
          result: { kind: 'settled', queuedAt: readQueuedAt(record), progress },
          writes: planned.write,
          committed: () => {
            lane.settledThrough = draft.settledThrough;
          },
        };
      });
      notices.notify(request.requestId);
      return outcome;
    },

    async recordAttempt(message, failure, startedAt) {
      const eventNo = registry.numberOf(message.eventId);
      const idBytes = bytesOf(message.requestId);
      await lanes.change<void>(eventNo, (draft) => {
        const planned = moves.begin(eventNo, draft);
        const record = planned.read(idBytes);
        if (record === undefined) return { result: undefined };
        const before = readProgress(record);
        if (isFinal(before.status)) return { result: undefined };
        const started = startProcessing(before, notBeforeQueued(record, startedAt));
        planned.move(idBytes, record, before, started, {
          fromStatus: 'PROCESSING',
          toStatus: 'PROCESSING',
          occurredAt: startedAt,
          message: attemptMessage(message, failure),
        });
        return { result: undefined, writes: planned.write };
      });
      notices.notify(message.requestId);
    },
  };

  function keyOf(eventNo: number, message: Message): Buffer {
    if (message.receipt instanceof LaneReceipt) return message.receipt.key;
    return lmdbKeys.message(eventNo, bytesOf(message.requestId));
  }
}

function attemptMessage({ receiveCount }: Message, { errorCode, errorMessage }: Failure): string {
  const text = `Attempt ${receiveCount} failed: ${errorCode}. ${errorMessage}`;
  return text.slice(0, errorMessageCharactersMax);
}

/** A retryable failure keeps its message, which is on its way to the dead letters. */
function isDone(outcome: Settled): boolean {
  if (outcome.kind === 'settled') return true;
  return outcome.kind === 'final' && outcome.progress.failure?.failureClass !== 'RETRYABLE';
}
