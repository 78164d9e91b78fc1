import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../src/ports/queue.ts';
import { storedEvent } from './first-come-event.ts';
import { receiveMessages, settleAll, settleNow } from './receiving.ts';
import { enterInTurn, storedRequest } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

/** What holds however settlements overlap, repeat and break off. */
export function settlementRacesContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: settlements that race`, () => {
    let tested: TestEngine;
    beforeEach(async () => {
      tested = await createEngine();
    });
    afterEach(() => tested.close());

    test('two settlements of the same messages have one effect', async () => {
      const event = await storedEvent(tested, { capacityTotal: 5 });
      const ids = await enterInTurn(tested, event, 3);
      const messages = await receiveMessages(tested);
      const now = tested.now();
      const { settlement } = tested.engine;
      const [first, second] = await Promise.all([
        settlement.settle(event, messages, now, now),
        settlement.settle(event, messages, now, now),
      ]);

      for (const index of ids.keys()) {
        const kinds = [first[index]?.kind, second[index]?.kind];
        expect(kinds.toSorted()).toEqual(['final', 'settled']);
      }
      const capacity = await tested.engine.events.capacityOf(event.eventId);
      expect(capacity?.capacityRemaining).toBe(2);
    });

    test('two settlements of overlapping batches stay exact', async () => {
      const event = await storedEvent(tested, { capacityTotal: 4 });
      const ids = await enterInTurn(tested, event, 6);
      const slow = await receiveMessages(tested, 3);
      await tested.advance(tested.visibilityMs);
      const quick = await receiveMessages(tested, 6);
      const now = tested.now();
      const { settlement } = tested.engine;
      await Promise.all([
        settlement.settle(event, quick, now, now),
        settlement.settle(event, slow, now, now),
      ]);

      const requests = await Promise.all(ids.map((id) => storedRequest(tested, id)));
      const winners = requests.filter((request) => request.status === 'SUCCEEDED');
      expect(winners).toHaveLength(4);
      expect((await tested.engine.events.capacityOf(event.eventId))?.capacityRemaining).toBe(0);
      expect((await tested.engine.queue.depth()).waiting).toBeGreaterThanOrEqual(0);
      if (tested.engine.queue.keepsOrder) {
        expect(winners.map((request) => request.requestId)).toEqual(ids.slice(0, 4));
      }
    });

    test('capacity raised while a batch settles is neither lost nor given twice', async () => {
      const event = await storedEvent(tested, { capacityTotal: 5 });
      await enterInTurn(tested, event, 4);
      const messages = await receiveMessages(tested);
      const raised = { ...event, capacityTotal: 8, revision: 1 };
      const [outcome] = await Promise.all([
        tested.engine.events.replace(event, raised),
        settleNow(tested, event, messages),
      ]);

      expect(outcome).toBe('replaced');
      expect(await tested.engine.events.capacityOf(event.eventId)).toMatchObject({
        capacityTotal: 8,
        capacityRemaining: 4,
      });
    });

    test('a later message waits for the older ones that are not settled', async () => {
      if (!tested.engine.queue.keepsOrder) return;
      const event = await storedEvent(tested, { capacityTotal: 1 });
      const ids = await enterInTurn(tested, event, 3);
      const [oldest, ...later] = await receiveMessages(tested);

      const outcomes = await tested.engine.settlement.settle(
        event,
        later,
        tested.now(),
        tested.now(),
      );
      expect(outcomes).toEqual([{ kind: 'behind' }, { kind: 'behind' }]);
      const requests = await Promise.all(ids.map((id) => storedRequest(tested, id)));
      expect(requests.map((request) => request.status)).toEqual(['QUEUED', 'QUEUED', 'QUEUED']);

      await settleNow(tested, event, oldest === undefined ? [] : [oldest]);
      const [next] = await settleNow(tested, event, later);
      expect(next).toMatchObject({ kind: 'settled', progress: { status: 'REJECTED' } });
    });
  });

  test(`${name}: whatever happens to the workers, exactly the first N win`, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (lived) => {
        const tested = await createEngine();
        try {
          await settleThrough(tested, lived);
        } finally {
          await tested.close();
        }
      }),
      { numRuns: 60 },
    );
  });
}

type Step = {
  readonly kind: 'settle' | 'lose' | 'settle-late' | 'restart';
  readonly limit: number;
};

interface History {
  readonly places: number;
  readonly entrants: number;
  readonly steps: readonly Step[];
}

const history: fc.Arbitrary<History> = fc.record({
  places: fc.integer({ min: 0, max: 6 }),
  entrants: fc.integer({ min: 0, max: 10 }),
  steps: fc
    .array(
      fc.record({
        kind: fc.constantFrom('settle', 'lose', 'settle-late', 'restart'),
        limit: fc.integer({ min: 1, max: 6 }),
      }),
      { maxLength: 8 },
    )
    .filter(losesNobody),
});

/** Not so many losses that a message becomes a dead letter: that is another suite's matter. */
function losesNobody(steps: readonly Step[]): boolean {
  return steps.filter(({ kind }) => kind === 'lose').length < 2;
}

async function settleThrough(
  tested: TestEngine,
  { places, entrants, steps }: History,
): Promise<void> {
  const event = await storedEvent(tested, { capacityTotal: places });
  const ids = await enterInTurn(tested, event, entrants);
  let lost: Message[] = [];
  for (const { kind, limit } of steps) {
    if (kind === 'restart') await tested.restart();
    else if (kind === 'settle-late') await settleNow(tested, event, lost);
    else if (kind === 'settle') {
      await settleNow(tested, event, await receiveMessages(tested, limit));
    } else {
      lost = await receiveMessages(tested, limit);
      await tested.advance(tested.visibilityMs);
    }
  }
  await settleAll(tested, event, 4);

  const requests = await Promise.all(ids.map((id) => storedRequest(tested, id)));
  const winners = requests.filter((request) => request.status === 'SUCCEEDED');
  expect(winners).toHaveLength(Math.min(places, entrants));
  const capacity = await tested.engine.events.capacityOf(event.eventId);
  expect(capacity?.capacityRemaining).toBe(places - winners.length);
  if (!tested.engine.queue.keepsOrder) return;
  expect(winners.map((request) => request.requestId)).toEqual(ids.slice(0, winners.length));
  expect((await tested.engine.statistics.of(event)).inversions).toBe(0);
}
