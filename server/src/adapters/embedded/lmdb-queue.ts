import { requestIdOf, stampOf } from '../../domain/request-id-bytes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Delivery, Queue } from '../../ports/queue.ts';
import type { Timers } from '../../ports/timers.ts';
import type { ChangeNotices } from '../system/change-notices.ts';
import { type LaneBoard, rangeOfLane } from './lane-board.ts';
import {
  closeReceipt,
  type Flight,
  type LaneFlight,
  LaneReceipt,
  openReceipt,
} from './lane-flights.ts';
import type { PlanBurial, StoredMessage } from './lmdb-burial.ts';
import type { Environment } from './lmdb-environment.ts';
import type { EventRegistry } from './lmdb-events.ts';
import { idBytesOfMessage } from './lmdb-keys.ts';
import type { Lanes } from './lmdb-lanes.ts';
import { messageIdOf, readReceiveCount, receivedMessage } from './lmdb-messages.ts';

/** The queue within the environment: one lane an event, in queue order, one batch in flight a lane. */
export function createLmdbQueue(
  env: Environment,
  registry: EventRegistry,
  lanes: Lanes,
  board: LaneBoard,
  planBurial: PlanBurial,
  notices: ChangeNotices,
  clock: Clock,
  timers: Timers,
  options: { readonly visibilityMs: number; readonly receivesMax: number },
): Queue {
  const receiveFrom = (lane: LaneFlight, limit: number): Promise<readonly Delivery[]> => {
    const now = clock.now();
    const flight: Flight = { beganAt: now, until: now + options.visibilityMs, open: 0 };
    lane.flight = flight;
    return lanes.change<readonly Delivery[]>(lane.eventNo, (draft) => {
      const stored = [...env.queue.getRange({ ...rangeOfLane(lane.eventNo), limit })];
      if (stored.length === 0) {
        // Never expected; without it a wrong count would make receivers spin.
        lane.depth = 0;
        lane.flight = null;
        return { result: [] };
      }
      const exhausted = stored.filter(({ value }) => isExhausted(value));
      const received = stored.filter(({ value }) => !isExhausted(value));
      flight.open = received.length;
      const bury = planBurial(lane.eventNo, draft, exhausted, now);
      return {
        result: received.map((message) => deliveryOf(lane, flight, message)),
        writes: () => {
          bury();
          for (const { key, value } of received) {
            const count = readReceiveCount(value);
            if (count !== undefined) env.queue.put(key, receivedMessage(count + 1));
          }
        },
        committed: () => {
          lane.depth -= exhausted.length;
          lane.settledThrough = draft.settledThrough;
          if (received.length === 0) lane.flight = null;
          for (const { key } of exhausted) notices.notify(requestIdOf(idBytesOfMessage(key)));
        },
      };
    });
  };

  const isExhausted = (value: Buffer): boolean =>
    (readReceiveCount(value) ?? 0) >= options.receivesMax;

  const deliveryOf = (
    lane: LaneFlight,
    flight: Flight,
    { key, value }: StoredMessage,
  ): Delivery => {
    const receipt = new LaneReceipt(lane, flight, key);
    const requestId = requestIdOf(idBytesOfMessage(key));
    const messageId = messageIdOf(requestId);
    const eventId = registry.byNumber(lane.eventNo)?.eventId;
    const receiveCount = readReceiveCount(value);
    if (eventId !== undefined && receiveCount !== undefined) {
      const received = { receiveCount: receiveCount + 1, receipt };
      return { kind: 'participation', messageId, eventId, requestId, ...received };
    }
    const request = eventId === undefined ? null : { eventId, requestId };
    return { kind: 'undecodable', messageId, request, receiveCount: 1, receipt };
  };

  const waitUntilReady = async (deadline: number, signal: AbortSignal): Promise<void> => {
    const wokenOrStopped = new AbortController();
    // With a reason of its own: making the default one costs more than the wait itself.
    const end = () => wokenOrStopped.abort('woken');
    signal.addEventListener('abort', end, { once: true });
    const waiting = board.onWake(end);
    const until = Math.min(deadline, board.nextVisibleAt() ?? deadline);
    await timers.sleep(Math.max(1, until - clock.now()), wokenOrStopped.signal);
    waiting.withdraw();
    signal.removeEventListener('abort', end);
  };

  /** Rewrites or removes messages that are still there and still this delivery's to decide about. */
  const changeHeld = async (
    deliveries: readonly Delivery[],
    write: (stored: StoredMessage) => void,
    removes: boolean,
  ): Promise<void> => {
    const held = new Set(deliveries.flatMap(({ receipt }) => openReceipt(receipt) ?? []));
    for (const [lane, receipts] of groupByLane(held)) {
      try {
        await lanes.change<void>(lane.eventNo, () => {
          const stored = receipts.flatMap(({ key }) => {
            const value = env.queue.get(key);
            return value === undefined ? [] : [{ key, value }];
          });
          return {
            result: undefined,
            writes: () => stored.forEach(write),
            committed: () => {
              if (removes) lane.depth -= stored.length;
            },
          };
        });
      } finally {
        // Also when the store takes no writes: the lane must not stay taken for that.
        receipts.forEach(closeReceipt);
      }
    }
    board.wake();
  };

  return {
    keepsOrder: true,

    async receive(limit, waitMs, signal) {
      const deadline = clock.now() + waitMs;
      while (!signal.aborted) {
        const lane = board.nextReady(clock.now());
        if (lane !== undefined) {
          const deliveries = await receiveOrRelease(lane, () => receiveFrom(lane, limit));
          if (deliveries.length > 0) return deliveries;
        } else if (clock.now() >= deadline) {
          return [];
        } else {
          await waitUntilReady(deadline, signal);
        }
      }
      return [];
    },

    acknowledge: (deliveries) => changeHeld(deliveries, ({ key }) => env.queue.remove(key), true),

    async backOff(delivery, delayMs) {
      const receipt = openReceipt(delivery.receipt);
      if (receipt === undefined) return;
      receipt.lane.visibleAt = Math.max(receipt.lane.visibleAt, clock.now() + delayMs);
      closeReceipt(receipt);
      board.wake();
    },

    giveBack: (deliveries) =>
      changeHeld(
        deliveries,
        ({ key, value }) => {
          const count = readReceiveCount(value);
          if (count !== undefined) env.queue.put(key, receivedMessage(Math.max(0, count - 1)));
        },
        false,
      ),

    async depth() {
      let total = 0;
      let inFlight = 0;
      let oldest: number | undefined;
      for (const lane of board.nonEmpty()) {
        total += lane.depth;
        if (lane.flight !== null && lane.flight.until > clock.now()) inFlight += lane.flight.open;
        for (const key of env.queue.getKeys({ ...rangeOfLane(lane.eventNo), limit: 1 })) {
          oldest = Math.min(oldest ?? Number.POSITIVE_INFINITY, stampOf(idBytesOfMessage(key)));
        }
      }
      const oldestAgeMs = oldest === undefined ? 0 : Math.max(0, clock.now() - oldest);
      return { waiting: total - inFlight, inFlight, oldestAgeMs };
    },
  };
}

/** A lane whose receive failed must not stay taken until its visibility timeout. */
async function receiveOrRelease<Result>(
  lane: LaneFlight,
  receive: () => Promise<Result>,
): Promise<Result> {
  try {
    return await receive();
  } catch (error) {
    lane.flight = null;
    throw error;
  }
}

function groupByLane(receipts: Iterable<LaneReceipt>): Map<LaneFlight, LaneReceipt[]> {
  const groups = new Map<LaneFlight, LaneReceipt[]>();
  for (const receipt of receipts) {
    groups.set(receipt.lane, [...(groups.get(receipt.lane) ?? []), receipt]);
  }
  return groups;
}
