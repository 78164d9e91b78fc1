import type { Receipt } from '../../ports/queue.ts';

/** One batch of an event's messages that a worker holds. */
export interface Flight {
  readonly beganAt: number;
  readonly until: number;
  open: number;
}

/** How an event's queue stands in memory; what must survive is in the lane and in the messages. */
export interface LaneFlight {
  readonly eventNo: number;
  depth: number;
  flight: Flight | null;
  visibleAt: number;
  settledThrough: number;
  /** Smoothed time that one message takes, measured over settled batches; null before the first. */
  messageMs: number | null;
  /** When the last batch ended, if it left work behind: the next one is measured from there. */
  pacedAt: number | null;
}

export class LaneReceipt {
  readonly lane: LaneFlight;
  readonly flight: Flight;
  readonly key: Buffer;
  isOpen = true;

  constructor(lane: LaneFlight, flight: Flight, key: Buffer) {
    this.lane = lane;
    this.flight = flight;
    this.key = key;
  }
}

/** Undefined when the message has since become visible to others, or is already done with. */
export function openReceipt(receipt: Receipt): LaneReceipt | undefined {
  if (!(receipt instanceof LaneReceipt)) return undefined;
  return receipt.isOpen && receipt.lane.flight === receipt.flight ? receipt : undefined;
}

/** The lane is free for the next batch when all receipts of this one are closed. */
export function closeReceipt(receipt: LaneReceipt): void {
  if (!receipt.isOpen) return;
  receipt.isOpen = false;
  receipt.flight.open -= 1;
  if (receipt.flight.open === 0 && receipt.lane.flight === receipt.flight) {
    receipt.lane.flight = null;
  }
}

/** Takes a settled batch into the measure of how fast the lane moves. */
export function measurePace(lane: LaneFlight, count: number, endedAt: number): void {
  const beganAt = lane.pacedAt ?? lane.flight?.beganAt ?? endedAt;
  lane.pacedAt = lane.depth > 0 ? endedAt : null;
  if (count === 0) return;
  const measured = Math.max(1, endedAt - beganAt) / count;
  lane.messageMs = lane.messageMs === null ? measured : lane.messageMs * 0.8 + measured * 0.2;
}
