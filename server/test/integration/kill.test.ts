import { describe, expect, test } from 'vitest';
import { type ChildServer, spawnServer } from '../support/child-server.ts';
import {
  allRequests,
  createEvent,
  expectSummaryEqualsRecount,
  isDone,
  until,
  untilSettled,
} from '../support/participation.ts';
import { scratchDirectory } from '../support/test-server.ts';

const capacity = 120;
const usersPerRound = 150;
const rounds = 6;

describe('kill -9', () => {
  test('at any moment, again and again: every answered request ends, exactly N win', async () => {
    const environment = {
      FAIRLINE_DATA_DIR: scratchDirectory(),
      FAIRLINE_RATE_USER_MAX: '0',
      // Small batches, so that a kill also falls between two of them.
      FAIRLINE_WORKER_BATCH: '7',
    };
    const answered = new Map<string, string>();
    let server = await spawnServer(environment);
    await createEvent(server.operator, 'storm', capacity);

    for (let round = 0; round < rounds; round += 1) {
      const answersBefore = answered.size;
      const pressing = press(server, 'storm', round, answered);
      // Early in some rounds, late in others: in the middle of ingest and of settling.
      const wanted = answersBefore + 5 + round * 25;
      await until(
        async () => answered.size + (await breath()),
        (size) => size >= wanted,
      );
      await server.end('SIGKILL');
      await pressing;
      server = await spawnServer(environment);
    }

    for (const [userId, requestId] of answered) {
      const again = await server.user(userId).post('/events/storm/participations');
      expect(again.body).toEqual({ requestId, isDuplicate: true });
    }
    const summary = await untilSettled(server.operator, 'storm');
    const requests = await allRequests(server.operator, 'storm');
    const byId = new Map(requests.map((request) => [request.requestId, request]));

    expect(answered.size).toBeGreaterThan(capacity);
    for (const [userId, requestId] of answered) {
      expect(byId.get(requestId)).toMatchObject({ userId });
    }
    expect(requests.every(isDone)).toBe(true);
    expect(requests.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(capacity);
    expect(summary).toMatchObject({ inversions: 0, capacityRemaining: 0, deadLetters: 0 });
    expectSummaryEqualsRecount(summary, requests);
    expect(isAscending(requests.map(({ requestId }) => requestId))).toBe(true);
    await server.end('SIGTERM');
  });

  test('SIGTERM loses nothing and exits with 0', async () => {
    const environment = { FAIRLINE_DATA_DIR: scratchDirectory() };
    const server = await spawnServer(environment);
    await createEvent(server.operator, 'calm', 50);
    const answered = new Map<string, string>();
    const pressing = press(server, 'calm', 0, answered);
    await until(
      async () => answered.size + (await breath()),
      (size) => size >= 60,
    );
    expect(await server.end('SIGTERM')).toBe(0);
    await pressing;

    const next = await spawnServer(environment);
    const summary = await untilSettled(next.operator, 'calm');
    const requests = await allRequests(next.operator, 'calm');
    expect(summary.byResultCode.SUCCESS).toBe(50);
    const kept = new Set(requests.map(({ requestId }) => requestId));
    expect([...answered.values()].every((requestId) => kept.has(requestId))).toBe(true);
    await next.end('SIGTERM');
  });
});

/** Many people press; who gets no answer because the server dies was promised nothing. */
async function press(
  server: ChildServer,
  eventId: string,
  round: number,
  answered: Map<string, string>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: usersPerRound }, async (_, index) => {
      const userId = `user-${round}-${index}`;
      const answer = await server
        .user(userId)
        .post<{ requestId: string }>(`/events/${eventId}/participations`)
        .catch((error: unknown) => {
          if (error instanceof TypeError) return undefined;
          throw error;
        });
      if (answer?.status === 202) answered.set(userId, answer.body.requestId);
    }),
  );
}

function breath(): Promise<0> {
  return new Promise((resolve) => setImmediate(() => resolve(0)));
}

function isAscending(ids: readonly string[]): boolean {
  return ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id);
}
