import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/domain/event.ts';
import { storedEvent } from './first-come-event.ts';
import {
  badContent,
  brokenStore,
  dropUntilDead,
  receiveMessages,
  settleAll,
  settleNow,
} from './receiving.ts';
import { recount } from './recount.ts';
import { enter, enterInTurn } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

export function statisticsContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: statistics`, () => {
    let tested: TestEngine;
    beforeEach(async () => {
      tested = await createEngine();
    });
    afterEach(() => tested.close());

    const expectRecount = async (event: Event): Promise<void> => {
      expect(await tested.engine.statistics.of(event)).toEqual(await recount(tested, event));
    };

    test('a new event counts nothing and has no delays', async () => {
      const event = await storedEvent(tested);
      const statistics = await tested.engine.statistics.of(event);
      expect(Object.values(statistics.byStatus)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(statistics).toMatchObject({
        displaced: 0,
        inversions: 0,
        deadLetters: 0,
        queueDelayMs: { p50: null, p95: null, p99: null },
        e2eDelayMs: { p50: null, p95: null, p99: null },
      });
    });

    test.each([1, 8])(
      'counts equal a recount of the list, %i index shards',
      async (indexShards) => {
        const event = await storedEvent(tested, { capacityTotal: 4, indexShards });
        const other = await storedEvent(tested, { eventId: 'other', indexShards });
        await enterInTurn(tested, other, 3, 'other');
        await enterInTurn(tested, event, 9);
        await expectRecount(event);
        await settleAll(tested, event);
        await enter(tested, event, 'late');
        await expectRecount(event);
        await tested.restart();
        await expectRecount(event);
        await expectRecount(other);
      },
    );

    test('percentiles are the exact nearest rank of the delays', async () => {
      const event = await storedEvent(tested, { capacityTotal: 200 });
      await enterInTurn(tested, event, 100);
      for (let batch = 0; batch < 100; batch += 1) {
        await tested.advance(batch === 98 ? 70_000 : 7);
        await settleNow(tested, event, await receiveMessages(tested, 1));
      }
      const { queueDelayMs } = await tested.engine.statistics.of(event);
      expect(queueDelayMs).toEqual({ p50: 350, p95: 665, p99: 70_686 });
      await expectRecount(event);
      await tested.restart();
      await expectRecount(event);
    });

    test('failures, dead letters and redrives are counted where they end up', async () => {
      const event = await storedEvent(tested, { capacityTotal: 1 });
      const dead = await enter(tested, event, 'dead');
      await dropUntilDead(tested);
      await tested.advance(50);
      await enterInTurn(tested, event, 2);
      await settleAll(tested, event);
      await expectRecount(event);

      await tested.engine.redelivery.redeliver(dead, 'Again.', tested.now());
      await expectRecount(event);
      await settleAll(tested, event);
      await expectRecount(event);
      expect(await tested.engine.statistics.of(event)).toMatchObject({ displaced: 1 });
      await tested.restart();
      await expectRecount(event);
    });

    test('a winner behind somebody rejected for capacity would be counted as an inversion', async () => {
      if (tested.engine.queue.keepsOrder) return;
      const event = await storedEvent(tested, { capacityTotal: 1 });
      await enterInTurn(tested, event, 2);
      const [first, second] = await receiveMessages(tested);
      await settleNow(tested, event, second === undefined ? [] : [second]);
      await settleNow(tested, event, first === undefined ? [] : [first]);
      expect(await tested.engine.statistics.of(event)).toMatchObject({ inversions: 1 });
      await expectRecount(event);
    });

    test('a clock that went back makes no delay negative', async () => {
      const event = await storedEvent(tested);
      await enter(tested, event, 'early');
      await tested.restart({ clockBackMs: 3_600_000 });
      await enter(tested, event, 'late');
      await settleAll(tested, event);

      const { queueDelayMs, e2eDelayMs } = await recount(tested, event);
      expect(queueDelayMs.p50).toBeGreaterThanOrEqual(0);
      expect(e2eDelayMs.p50).toBeGreaterThanOrEqual(0);
      await expectRecount(event);
    });
  });

  test(`${name}: statistics equal a recount whatever happened, before and after a restart`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...deeds), { maxLength: 14 }), async (history) => {
        const tested = await createEngine();
        try {
          await live(tested, history);
        } finally {
          await tested.close();
        }
      }),
      { numRuns: 60 },
    );
  });
}

const deeds = ['enter', 'settle', 'attempt', 'fail', 'lose', 'redeliver', 'wait', 'bury'] as const;
type Deed = (typeof deeds)[number];

async function live(tested: TestEngine, history: readonly Deed[]): Promise<void> {
  const event = await storedEvent(tested, { capacityTotal: 2 });
  const ids = await enterInTurn(tested, event, 3);
  for (const [index, deed] of history.entries()) {
    if (deed === 'enter') ids.push(await enter(tested, event, `late-${index}`));
    else if (deed === 'wait') await tested.advance(13);
    else if (deed === 'redeliver') {
      for (const id of ids) await tested.engine.redelivery.redeliver(id, 'Again.', tested.now());
    } else await handle(tested, event, deed);
  }
  expect(await tested.engine.statistics.of(event)).toEqual(await recount(tested, event));
  await tested.restart();
  expect(await tested.engine.statistics.of(event)).toEqual(await recount(tested, event));
  await settleAll(tested, event);
  expect(await tested.engine.statistics.of(event)).toEqual(await recount(tested, event));
}

async function handle(tested: TestEngine, event: Event, deed: Deed): Promise<void> {
  const { settlement, queue } = tested.engine;
  const messages = await receiveMessages(tested, 2);
  const [first] = messages;
  if (first === undefined) return;
  const now = tested.now();
  if (deed === 'settle') await settleNow(tested, event, messages);
  else if (deed === 'attempt') await settlement.recordAttempt(first, brokenStore, now);
  else if (deed === 'fail') await settlement.fail(first, 'FAILED_WORKER', badContent, now, now + 1);
  else if (deed === 'bury') {
    await settlement.fail(first, 'FAILED_WORKER', brokenStore, now, now + 1);
  }
  if (deed === 'lose') await tested.advance(tested.visibilityMs);
  else await queue.giveBack(messages);
}
