import type { Event } from '../../domain/event.ts';
import type { RequestId, UserId } from '../../domain/ids.ts';
import { keys } from '../../domain/keys.ts';
import type { Failure } from '../../domain/request.ts';
import { expiry } from '../../domain/retention.ts';
import type { Entrant } from '../../ports/admission-steps.ts';
import type { Write } from './dynamo-table.ts';
import { receivedItem, ttlOf } from './request-item.ts';
import { type Condition, ifAbsent, putItem, updateItem } from './write-items.ts';

const ifReceived: Condition = { text: '#status = :received', values: { received: 'RECEIVED' } };

/** The conditional writes of an admission, one for each step. */
export const admissionWrites = {
  takeLock: (event: Event, userId: UserId, requestId: RequestId, createdAt: number): Write =>
    putItem(
      {
        ...keys.lock(event.eventId, userId),
        entityType: 'IDEMPOTENCY',
        requestId,
        createdAt,
        ttl: ttlOf(expiry.lock(event)),
      },
      ifAbsent,
    ),

  storeReceived: (event: Event, entrant: Entrant): Write =>
    putItem(receivedItem(event, entrant), ifAbsent),

  markQueued: (event: Event, { requestId, userId }: Entrant, queuedAt: number): Write =>
    updateItem(keys.request(requestId), {
      set: {
        status: 'QUEUED',
        queuedAt,
        ...keys.byUser(userId, queuedAt, requestId),
        ...keys.byEvent(event.eventId, event.indexShards, queuedAt, requestId),
      },
      when: ifReceived,
    }),

  failEnqueue: ({ requestId }: Entrant, failure: Failure, finishedAt: number): Write =>
    updateItem(keys.request(requestId), {
      set: {
        status: 'FAILED_FINAL',
        uiResult: 'FAILED',
        resultCode: 'FAILED_INGEST_ENQUEUE',
        finishedAt,
        ...failure,
      },
      when: ifReceived,
    }),

  recordEnqueueFailure: (event: Event, entrant: Entrant, finishedAt: number): Write =>
    putItem({
      ...keys.enqueueFailure(event.eventId, finishedAt, entrant.requestId),
      entityType: 'ENQUEUE_FAILURE',
      requestId: entrant.requestId,
      userId: entrant.userId,
      finishedAt,
      ttl: ttlOf(expiry.request(event)),
    }),
};
