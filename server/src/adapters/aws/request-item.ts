import type { Event } from '../../domain/event.ts';
import { idempotencyKey, keys } from '../../domain/keys.ts';
import type { Failure, Progress, Request } from '../../domain/request.ts';
import { uiResultOf } from '../../domain/request-view.ts';
import { expiry } from '../../domain/retention.ts';
import type { Entrant } from '../../ports/admission-steps.ts';
import type { Item } from './dynamo-table.ts';

export function receivedItem(event: Event, { requestId, userId, requestedAt }: Entrant): Item {
  const { eventId, eventType } = event;
  return {
    ...keys.request(requestId),
    entityType: 'REQUEST',
    requestId,
    eventId,
    userId,
    eventType,
    status: 'RECEIVED',
    uiResult: uiResultOf('RECEIVED'),
    requestedAt,
    idempotencyKey: idempotencyKey(eventId, userId),
    ttl: ttlOf(expiry.request(event)),
  };
}

/** The attributes that a progress is stored as; null where there is none. */
export function progressAttributes(progress: Progress): Record<string, unknown> {
  const { status, resultCode, startedAt, finishedAt, failure, redriven } = progress;
  return {
    status,
    uiResult: uiResultOf(status),
    resultCode,
    startedAt,
    finishedAt,
    failureClass: failure?.failureClass ?? null,
    errorCode: failure?.errorCode ?? null,
    errorMessage: failure?.errorMessage ?? null,
    redriven: redriven ? true : null,
  };
}

export function requestOf(item: Item): Request {
  const stored = item as unknown as StoredRequest;
  return {
    requestId: stored.requestId,
    eventId: stored.eventId,
    userId: stored.userId,
    eventType: stored.eventType,
    requestedAt: stored.requestedAt,
    queuedAt: stored.queuedAt ?? null,
    status: stored.status,
    resultCode: stored.resultCode ?? null,
    startedAt: stored.startedAt ?? null,
    finishedAt: stored.finishedAt ?? null,
    failure: failureOf(stored),
    redriven: stored.redriven ?? false,
  };
}

/** DynamoDB's TTL counts in seconds. */
export function ttlOf(expiresAt: number): number {
  return Math.ceil(expiresAt / 1000);
}

function failureOf({ failureClass, errorCode, errorMessage }: StoredRequest): Failure | null {
  if (failureClass === undefined || errorCode === undefined) return null;
  return { failureClass, errorCode, errorMessage: errorMessage ?? '' };
}

type Stored<Value> = { [Name in keyof Value]?: NonNullable<Value[Name]> };

interface StoredRequest
  extends Pick<
      Request,
      'requestId' | 'eventId' | 'userId' | 'eventType' | 'requestedAt' | 'status'
    >,
    Stored<Pick<Request, 'queuedAt' | 'resultCode' | 'startedAt' | 'finishedAt' | 'redriven'>>,
    Stored<Failure> {}
