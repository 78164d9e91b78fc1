import { expect } from 'vitest';
import { isFinal, type ResultCode, type Status } from '../../src/domain/request.ts';
import type { Caller } from './api-client.ts';

export interface RequestBody {
  readonly requestId: string;
  readonly userId: string;
  readonly status: Status;
  readonly resultCode: ResultCode | null;
  readonly queuedAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly queueDelayMs: number | null;
  readonly e2eDelayMs: number | null;
  readonly position: number | null;
  readonly etaMs: number | null;
  readonly step: string;
  readonly errorCode: string | null;
}

export interface SummaryBody {
  readonly byStatus: Record<Status, number>;
  readonly byResultCode: Record<ResultCode, number>;
  readonly capacityRemaining: number;
  readonly capacityTotal: number;
  readonly inversions: number;
  readonly displaced: number;
  readonly deadLetters: number;
  readonly queueDelayMs: Record<'p50' | 'p95' | 'p99', number | null>;
  readonly e2eDelayMs: Record<'p50' | 'p95' | 'p99', number | null>;
}

export async function createEvent(
  operator: Caller,
  eventId: string,
  capacityTotal: number,
  more: Record<string, unknown> = {},
): Promise<void> {
  const definition = { eventId, title: eventId, eventType: 'FIRST_COME', capacityTotal, ...more };
  expect((await operator.post('/admin/events', definition)).status).toBe(201);
}

export async function participate(user: Caller, eventId: string): Promise<string> {
  const answer = await user.post<{ requestId: string }>(`/events/${eventId}/participations`);
  expect(answer.status).toBe(202);
  return answer.body.requestId;
}

export async function summaryOf(operator: Caller, eventId: string): Promise<SummaryBody> {
  return (await operator.get<SummaryBody>(`/admin/events/${eventId}/summary`)).body;
}

/** Asks until the answer is as wanted; the test's own time limit ends a wait in vain. */
export async function until<Value>(
  ask: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (isWanted(value)) return value;
  }
}

export function untilSettled(operator: Caller, eventId: string): Promise<SummaryBody> {
  return until(
    () => summaryOf(operator, eventId),
    ({ byStatus }) => byStatus.QUEUED === 0 && byStatus.PROCESSING === 0,
  );
}

/** Every request of an event in queue order, over all pages. */
export async function allRequests(operator: Caller, eventId: string): Promise<RequestBody[]> {
  const requests: RequestBody[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await operator.get<{ items: RequestBody[]; nextCursor: string | null }>(
      `/admin/events/${eventId}/requests?order=asc&limit=100${query}`,
    );
    requests.push(...body.items);
    cursor = body.nextCursor;
  } while (cursor !== null);
  return requests;
}

/** What the summary must say, counted from the list. */
export function recount(requests: readonly RequestBody[]) {
  const byStatus: Record<string, number> = {};
  const byResultCode: Record<string, number> = {};
  for (const { status, resultCode } of requests) {
    byStatus[status] = (byStatus[status] ?? 0) + 1;
    if (resultCode !== null) byResultCode[resultCode] = (byResultCode[resultCode] ?? 0) + 1;
  }
  const firstRejected = requests.findIndex(({ resultCode }) => resultCode === 'REJECTED_CAPACITY');
  const isInverted = ({ status }: RequestBody, index: number) =>
    firstRejected !== -1 && index > firstRejected && status === 'SUCCEEDED';
  return {
    byStatus,
    byResultCode,
    inversions: requests.filter(isInverted).length,
    queueDelayMs: percentiles(requests.flatMap(({ queueDelayMs }) => queueDelayMs ?? [])),
    e2eDelayMs: percentiles(requests.flatMap(({ e2eDelayMs }) => e2eDelayMs ?? [])),
  };
}

export function expectSummaryEqualsRecount(
  summary: SummaryBody,
  requests: readonly RequestBody[],
): void {
  const counted = recount(requests);
  expect(nonZero(summary.byStatus)).toEqual(counted.byStatus);
  expect(nonZero(summary.byResultCode)).toEqual(counted.byResultCode);
  expect(summary.inversions).toBe(counted.inversions);
  expect(summary.queueDelayMs).toEqual(counted.queueDelayMs);
  expect(summary.e2eDelayMs).toEqual(counted.e2eDelayMs);
}

export function isDone({ status }: { status: Status }): boolean {
  return isFinal(status);
}

function percentiles(values: number[]) {
  const sorted = values.sort((a, b) => a - b);
  const at = (percent: number) => sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null;
  return { p50: at(50), p95: at(95), p99: at(99) };
}

function nonZero(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
