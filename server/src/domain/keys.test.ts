import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EventId, RequestId, UserId } from './ids.ts';
import { eventPartition, idempotencyKey, indexShardOf, keys } from './keys.ts';

const requestId = '019ca6b1-dc00-7000-8000-000000000000' as RequestId;
const eventId = 'sale' as EventId;
const userId = 'ann' as UserId;
const queuedAt = 1_772_323_200_000;

describe('the table’s keys', () => {
  test('are exactly those of the data model', () => {
    expect(keys.request(requestId)).toEqual({ PK: `REQ#${requestId}`, SK: 'META' });
    expect(keys.lock(eventId, userId)).toEqual({ PK: 'IDEMP#sale#ann', SK: 'LOCK' });
    expect(keys.capacity(eventId)).toEqual({ PK: 'EVENT#sale', SK: 'CAPACITY' });
    expect(keys.eventConfig(eventId)).toEqual({ PK: 'EVENT#sale', SK: 'CONFIG' });
    expect(keys.statusLog(requestId, queuedAt, 3)).toEqual({
      PK: `REQ#${requestId}`,
      SK: 'LOG#1772323200000#03',
    });
    expect(idempotencyKey(eventId, userId)).toBe('IDEMP#sale#ann');
  });

  test('the indexes hold user, event and place in the queue', () => {
    expect(keys.byUser(userId, queuedAt, requestId)).toEqual({
      GSI1PK: 'USER#ann',
      GSI1SK: `QAT#1772323200000#REQ#${requestId}`,
    });
    expect(keys.byEvent(eventId, 1, queuedAt, requestId)).toEqual({
      GSI2PK: 'EVENT#sale',
      GSI2SK: `QAT#1772323200000#REQ#${requestId}`,
    });
  });

  test('with several shards the partition names one of them', () => {
    const shard = indexShardOf(requestId, 16);
    expect(keys.byEvent(eventId, 16, queuedAt, requestId).GSI2PK).toBe(`EVENT#sale#${shard}`);
    expect(eventPartition(eventId, 16, 7)).toBe('EVENT#sale#7');
  });

  test('times have 13 digits, so that text order is time order', () => {
    const { GSI1SK } = keys.byUser(userId, 42, requestId);
    expect(GSI1SK).toBe(`QAT#0000000000042#REQ#${requestId}`);
  });
});

describe('the index shard of a request', () => {
  test('is always the same one, within the shards', () => {
    for (const shards of [1, 2, 8, 16, 100]) {
      const shard = indexShardOf(requestId, shards);
      expect(shard).toBe(indexShardOf(requestId, shards));
      expect(shard).toBeGreaterThanOrEqual(0);
      expect(shard).toBeLessThan(shards);
    }
    expect(indexShardOf(requestId, 1)).toBe(0);
  });

  test('spreads evenly, also over ids of one millisecond', () => {
    const counts = new Array<number>(8).fill(0);
    for (let index = 0; index < 8000; index += 1) {
      const id = `019ca6b1-dc00-7${randomUUID().slice(15)}` as RequestId;
      const shard = indexShardOf(id, 8);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    // A thousand each; eight standard deviations are 237.
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(237);
  });
});
