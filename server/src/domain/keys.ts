import { createHash } from 'node:crypto';
import type { EventId, MessageId, RequestId, UserId } from './ids.ts';

/** The table's keys, in one place. Every engine means these, however compactly it stores them. */
export const keys = {
  request: (requestId: RequestId) => ({ PK: `REQ#${requestId}`, SK: 'META' }),
  lock: (eventId: EventId, userId: UserId) => ({ PK: `IDEMP#${eventId}#${userId}`, SK: 'LOCK' }),
  capacity: (eventId: EventId) => ({ PK: `EVENT#${eventId}`, SK: 'CAPACITY' }),
  enqueueFailure: (eventId: EventId, finishedAt: number, requestId: RequestId) => ({
    PK: `ENQFAIL#${eventId}`,
    SK: `${stamp(finishedAt)}#${requestId}`,
  }),
  eventDirectory: (eventId: EventId) => ({ PK: 'EVENTS', SK: eventId }),
  eventStats: (eventId: EventId, shard: string) => ({
    PK: `EVENT#${eventId}`,
    SK: `STATS#${shard}`,
  }),
  deadLetter: (occurredAt: number, messageId: MessageId) => ({
    PK: `DLQ#${dayOf(occurredAt)}`,
    SK: `${stamp(occurredAt)}#${messageId}`,
  }),
  audit: (occurredAt: number, id: string) => ({
    PK: `AUDIT#${dayOf(occurredAt)}`,
    SK: `${stamp(occurredAt)}#${id}`,
  }),
  eventConfig: (eventId: EventId) => ({ PK: `EVENT#${eventId}`, SK: 'CONFIG' }),
  statusLog: (requestId: RequestId, occurredAt: number, ordinal: number) => ({
    PK: `REQ#${requestId}`,
    SK: `LOG#${stamp(occurredAt)}#${String(ordinal).padStart(2, '0')}`,
  }),
  byUser: (userId: UserId, queuedAt: number, requestId: RequestId) => ({
    GSI1PK: `USER#${userId}`,
    GSI1SK: queuePlace(queuedAt, requestId),
  }),
  byEvent: (eventId: EventId, indexShards: number, queuedAt: number, requestId: RequestId) => ({
    GSI2PK: eventPartition(eventId, indexShards, indexShardOf(requestId, indexShards)),
    GSI2SK: queuePlace(queuedAt, requestId),
  }),
};

export function idempotencyKey(eventId: EventId, userId: UserId): string {
  return keys.lock(eventId, userId).PK;
}

/** With one shard the seeds' own key; with more, one partition a shard. */
export function eventPartition(eventId: EventId, indexShards: number, shard: number): string {
  return indexShards === 1 ? `EVENT#${eventId}` : `EVENT#${eventId}#${shard}`;
}

/** The id's random tail spreads evenly; hashing keeps that true for ids of any make. */
export function indexShardOf(requestId: RequestId, indexShards: number): number {
  if (indexShards === 1) return 0;
  return createHash('sha256').update(requestId).digest().readUInt32BE(0) % indexShards;
}

/** The day in UTC, as it stands in keys. */
export function dayOf(epochMillis: number): string {
  return new Date(epochMillis).toISOString().slice(0, 10);
}

/** Sorts as the queue does. */
export function queuePlace(queuedAt: number, requestId: RequestId): string {
  return `QAT#${stamp(queuedAt)}#REQ#${requestId}`;
}

/** 13 digits, so that text order is time order. */
function stamp(epochMillis: number): string {
  return String(epochMillis).padStart(13, '0');
}
