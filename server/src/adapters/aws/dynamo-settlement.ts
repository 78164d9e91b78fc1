import type { Capacity } from '../../domain/capacity.ts';
import { Fault } from '../../domain/errors.ts';
import type { Event } from '../../domain/event.ts';
import type { EventId, RequestId } from '../../domain/ids.ts';
import { keys, queuePlace } from '../../domain/keys.ts';
import {
  errorMessageCharactersMax,
  type Failure,
  fail,
  isFinal,
  type Progress,
  startProcessing,
} from '../../domain/request.ts';
import { settleFirstCome } from '../../domain/settle-first-come.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Events } from '../../ports/events.ts';
import type { Message } from '../../ports/queue.ts';
import type { Settled, Settlement } from '../../ports/settlement.ts';
import type { Timers } from '../../ports/timers.ts';
import type { ChangeNotices } from '../system/change-notices.ts';
import type { DynamoTable, Write } from './dynamo-table.ts';
import { capacityOf } from './event-item.ts';
import type { EventTallies, Move } from './event-tallies.ts';
import { createOneAtATime } from './one-at-a-time.ts';
import type { QueueOrder } from './queue-order.ts';
import type { QueuedRequest, ReadQueued } from './queued-requests.ts';
import { settlementWrites } from './settlement-writes.ts';
import type { StatusLogs } from './status-logs.ts';

export interface SettlementParts {
  readonly table: DynamoTable;
  readonly events: Events;
  readonly readQueued: ReadQueued;
  readonly order: QueueOrder;
  readonly tallies: EventTallies;
  readonly logs: StatusLogs;
  readonly notices: ChangeNotices;
  readonly clock: Clock;
  readonly timers: Timers;
  /** How long a place in the queue must have been written before it is taken for the last word. */
  readonly holdMs: number;
}

/**
 * Settles what was received together in one transaction: places, the requests that they pay for
 * and the counts. Whatever stands in its way (a duplicate that was settled meanwhile, places that
 * others took) is read again and planned anew. Sold out is final, so it is remembered, and losers
 * never touch the capacity.
 */
export function createDynamoSettlement(parts: SettlementParts): Settlement {
  const { table, events, readQueued, order, tallies, logs, notices, clock, timers, holdMs } = parts;
  const oneAtATime = createOneAtATime();
  const soldOut = new Map<EventId, Capacity>();
  const sliceMax = Math.floor((writesMax - sharedWrites) / (writesPerMove + logs.perMoveMax));

  const readCapacity = async (eventId: EventId): Promise<Capacity> => {
    const known = soldOut.get(eventId);
    if (known !== undefined) return known;
    const item = await table.get(keys.capacity(eventId));
    if (item === undefined) throw capacityMissing(eventId);
    const capacity = capacityOf(item);
    if (capacity.soldOutAt !== null) soldOut.set(eventId, capacity);
    return capacity;
  };

  /** False when something has changed meanwhile, and nothing was written. */
  const commit = async (eventId: EventId, moves: readonly Move[], more: readonly Write[]) => {
    const logWrites = await Promise.all(
      moves.map(({ requestId, before, after }) => logs.ofMove(requestId, before, after)),
    );
    const transacted = await table.transact([
      ...more,
      ...moves.map(({ requestId, before, after }) =>
        settlementWrites.moveRequest(requestId, before, after),
      ),
      ...logWrites.flat(),
      ...tallies.count(eventId, moves),
    ]);
    if (transacted.kind === 'refused') return false;
    for (const { requestId } of moves) notices.notify(requestId);
    return true;
  };

  const settlePending = async (
    event: Event,
    pending: readonly QueuedRequest[],
    startedAt: number,
    finishedAt: number,
  ): Promise<readonly Move[]> => {
    const { eventId } = event;
    let capacity = await readCapacity(eventId);
    const moves: Move[] = [];
    let slice: Move[] = [];
    let winners = 0;

    const commitSlice = async (): Promise<boolean> => {
      if (slice.length === 0) return true;
      const places = winners > 0 ? [settlementWrites.takePlaces(eventId, winners, finishedAt)] : [];
      if (!(await commit(eventId, slice, places))) return false;
      moves.push(...slice);
      slice = [];
      winners = 0;
      return true;
    };

    for (const request of pending) {
      const move = (after: Progress): Move => ({
        requestId: request.requestId,
        queuedAt: request.queuedAt,
        before: request,
        after,
      });
      const { progress, capacity: after } = settleFirstCome(
        request,
        request.judgedAt,
        event.closesAt,
        capacity,
        Math.max(startedAt, request.queuedAt),
        Math.max(finishedAt, request.queuedAt),
      );
      if (after.soldOutAt !== null && capacity.soldOutAt === null) {
        if (!(await commitSlice())) return moves;
        await table.write(settlementWrites.sellOut(eventId, finishedAt));
        const stands = await readCapacity(eventId);
        if (stands.soldOutAt === null) return moves;
      }
      if (slice.length >= sliceMax && !(await commitSlice())) return moves;
      capacity = after;
      slice.push(move(progress));
      if (progress.status === 'SUCCEEDED') winners += 1;
    }
    await commitSlice();
    return moves;
  };

  /** Those whose turn it is: until the event is sold out nobody passes one who is not settled. */
  const inTurn = async (
    event: Event,
    pending: readonly QueuedRequest[],
    isOverdue: boolean,
  ): Promise<readonly QueuedRequest[]> => {
    const last = pending.at(-1);
    const capacity = await readCapacity(event.eventId);
    if (isOverdue || last === undefined || capacity.soldOutAt !== null) return pending;
    const own = new Set(pending.map(({ requestId }) => requestId));
    const firstOpen = await order.firstOpenBefore(event, placeOf(last), own);
    const ripeAt = clock.now() - holdMs;
    return pending.filter(
      (request) =>
        request.queuedAt <= ripeAt && (firstOpen === undefined || placeOf(request) < firstOpen),
    );
  };

  /** One look at what is left of a batch; settles what can be settled now. */
  const settleSome = async (
    event: Event,
    messages: readonly Message[],
    settled: Map<RequestId, Settled>,
    isOverdue: boolean,
    startedAt: number,
    finishedAt: number,
  ): Promise<boolean> => {
    const left = messages.filter(({ requestId }) => !settled.has(requestId));
    const requests = await readQueued(event, left);
    const pending: QueuedRequest[] = [];
    for (const request of requests.values()) {
      if (request.eventId !== event.eventId) continue;
      if (!isFinal(request.status)) pending.push(request);
      else settled.set(request.requestId, { kind: 'final', progress: progressOf(request) });
    }
    pending.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const ready = await inTurn(event, pending, isOverdue);
    for (const move of await settlePending(event, ready, startedAt, finishedAt)) {
      const { requestId, queuedAt, after: progress } = move;
      settled.set(requestId, { kind: 'settled', queuedAt: queuedAt ?? 0, progress });
    }
    return pending.every(({ requestId }) => settled.has(requestId));
  };

  const settleInOrder = async (
    event: Event,
    messages: readonly Message[],
    startedAt: number,
    finishedAt: number,
  ): Promise<readonly Settled[]> => {
    const settled = new Map<RequestId, Settled>();
    const overdueAt = clock.now() + holdMs * holdsMax;
    for (let overdueLooks = 0; overdueLooks < attemptsMax; ) {
      const isOverdue = clock.now() >= overdueAt;
      if (isOverdue) overdueLooks += 1;
      const isDone = await oneAtATime(event.eventId, () =>
        settleSome(event, messages, settled, isOverdue, startedAt, finishedAt),
      );
      if (isDone) return outcomesOf(messages, settled);
      if (!isOverdue) await timers.sleep(lookAgainMs);
    }
    throw contended(event.eventId);
  };

  return {
    settle: settleInOrder,

    fail: (reference, resultCode, failure, startedAt, finishedAt) =>
      oneAtATime(reference.eventId, async () => {
        const event = await events.get(reference.eventId);
        if (event === undefined) return { kind: 'missing' };
        for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
          const request = (await readQueued(event, [reference])).get(reference.requestId);
          if (request === undefined) return { kind: 'missing' };
          if (isFinal(request.status)) return { kind: 'final', progress: progressOf(request) };
          const { requestId, queuedAt } = request;
          const started = startProcessing(request, Math.max(startedAt, queuedAt));
          const after = fail(started, resultCode, failure, Math.max(finishedAt, queuedAt));
          const move = { requestId, queuedAt, before: request, after };
          if (await commit(reference.eventId, [move], [])) {
            return { kind: 'settled', queuedAt, progress: progressOf(after) };
          }
        }
        throw contended(reference.eventId);
      }),

    recordAttempt: (message, failure, startedAt) =>
      oneAtATime(message.eventId, async () => {
        const event = await events.get(message.eventId);
        if (event === undefined) return;
        const request = (await readQueued(event, [message])).get(message.requestId);
        if (request === undefined || isFinal(request.status)) return;
        const { requestId, queuedAt } = request;
        const after = startProcessing(request, Math.max(startedAt, queuedAt));
        const attempt = await logs.of(requestId, [
          {
            fromStatus: 'PROCESSING',
            toStatus: 'PROCESSING',
            occurredAt: startedAt,
            message: attemptMessage(message, failure),
          },
        ]);
        await commit(message.eventId, [{ requestId, queuedAt, before: request, after }], attempt);
      }),
  };
}

/** One each, in the order of the messages; a message that is there twice was settled once. */
function outcomesOf(
  messages: readonly Message[],
  settled: ReadonlyMap<RequestId, Settled>,
): readonly Settled[] {
  const told = new Set<RequestId>();
  return messages.map(({ requestId }) => {
    const outcome = settled.get(requestId) ?? { kind: 'missing' as const };
    const isRepeated = told.has(requestId);
    told.add(requestId);
    return isRepeated && outcome.kind === 'settled'
      ? { kind: 'final', progress: outcome.progress }
      : outcome;
  });
}

export function progressOf(progress: Progress): Progress {
  const { status, resultCode, startedAt, finishedAt, failure, redriven } = progress;
  return { status, resultCode, startedAt, finishedAt, failure, redriven };
}

function placeOf({ queuedAt, requestId }: QueuedRequest): string {
  return queuePlace(queuedAt, requestId);
}

function attemptMessage({ receiveCount }: Message, { errorCode, errorMessage }: Failure): string {
  const text = `Attempt ${receiveCount} failed: ${errorCode}. ${errorMessage}`;
  return text.slice(0, errorMessageCharactersMax);
}

function capacityMissing(eventId: EventId): Fault {
  return new Fault('UNAVAILABLE', `The capacity of ${eventId} is missing.`, { retryable: true });
}

function contended(eventId: EventId): Fault {
  return new Fault('UNAVAILABLE', `Others were faster again and again in ${eventId}.`, {
    retryable: true,
  });
}

const attemptsMax = 20;
/** After so many holds the order is given up for whoever is still missing: nobody waits for ever. */
const holdsMax = 15;
const lookAgainMs = 50;
/** A transaction holds 100 writes: the capacity, the counts, and of each move itself and its delays. */
const writesMax = 100;
const sharedWrites = 2;
const writesPerMove = 3;
