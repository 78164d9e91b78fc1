import type { Event } from '../../src/domain/event.ts';
import { RESULT_CODES, type Request, STATUSES } from '../../src/domain/request.ts';
import type { DeadLetter } from '../../src/ports/dead-letters.ts';
import type { Page } from '../../src/ports/page.ts';
import type { EventStatistics } from '../../src/ports/statistics.ts';
import type { TestEngine } from './test-engine.ts';

/** An event's statistics, counted anew from its lists without any of the engine's own counts. */
export async function recount(tested: TestEngine, event: Event): Promise<EventStatistics> {
  const requests = await everyRequest(tested, event);
  const letters = await everyDeadLetter(tested);
  return {
    byStatus: countBy(STATUSES, requests, (request) => request.status),
    byResultCode: countBy(RESULT_CODES, requests, (request) => request.resultCode),
    displaced: requests.filter(isDisplaced).length,
    inversions: inversionsAmong(requests),
    deadLetters: letters.filter((letter) => letter.eventId === event.eventId).length,
    queueDelayMs: percentiles(requests.map(({ queuedAt, startedAt }) => gap(queuedAt, startedAt))),
    e2eDelayMs: percentiles(requests.map(({ queuedAt, finishedAt }) => gap(queuedAt, finishedAt))),
  };
}

async function everyRequest(tested: TestEngine, event: Event): Promise<Request[]> {
  const all: Request[] = [];
  let after: string | null = null;
  do {
    const page: Page<Request> = await tested.engine.requests.listByEvent(event, 'asc', {
      limit: 100,
      after,
    });
    all.push(...page.items);
    after = page.next;
  } while (after !== null);
  return all;
}

async function everyDeadLetter(tested: TestEngine): Promise<DeadLetter[]> {
  const all: DeadLetter[] = [];
  let after: string | null = null;
  do {
    const page: Page<DeadLetter> = await tested.engine.deadLetters.list({ limit: 100, after });
    all.push(...page.items);
    after = page.next;
  } while (after !== null);
  return all;
}

function countBy<Name extends string>(
  names: readonly Name[],
  requests: readonly Request[],
  nameOf: (request: Request) => Name | null,
): Record<Name, number> {
  const counts = names.map((name) => [
    name,
    requests.filter((request) => nameOf(request) === name).length,
  ]);
  return Object.fromEntries(counts) as Record<Name, number>;
}

function isDisplaced(request: Request): boolean {
  return request.redriven && request.resultCode === 'REJECTED_CAPACITY';
}

/** The requests are in queue order. */
function inversionsAmong(requests: readonly Request[]): number {
  const firstRejected = requests.findIndex(
    (request) => request.resultCode === 'REJECTED_CAPACITY' && !isDisplaced(request),
  );
  if (firstRejected === -1) return 0;
  return requests.slice(firstRejected).filter((request) => request.status === 'SUCCEEDED').length;
}

function gap(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : to - from;
}

function percentiles(delays: readonly (number | null)[]) {
  const sorted = delays.filter((delay) => delay !== null).sort((a, b) => a - b);
  const at = (percent: number) => sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null;
  return { p50: at(50), p95: at(95), p99: at(99) };
}
