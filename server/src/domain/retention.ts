import type { Event } from './event.ts';

const dayMs = 24 * 60 * 60 * 1000;

export const lockMarginMs = 7 * dayMs;
const requestMarginMs = 90 * dayMs;
const statusLogMs = 30 * dayMs;
const deadLetterMs = 30 * dayMs;
const auditMs = 400 * dayMs;

/** When each kind of record may go, in epoch milliseconds. */
export const expiry = {
  lock: (event: Event) => event.closesAt + lockMarginMs,
  request: (event: Event) => event.closesAt + requestMarginMs,
  statusLog: (occurredAt: number) => occurredAt + statusLogMs,
  deadLetter: (occurredAt: number) => occurredAt + deadLetterMs,
  audit: (occurredAt: number) => occurredAt + auditMs,
};
