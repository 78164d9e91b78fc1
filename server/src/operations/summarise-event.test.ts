import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedEvent } from '../../test/contracts/first-come-event.ts';
import { settleAll } from '../../test/contracts/receiving.ts';
import { recount } from '../../test/contracts/recount.ts';
import { enterInTurn } from '../../test/contracts/taking-part.ts';
import type { TestEngine } from '../../test/contracts/test-engine.ts';
import { openEmbeddedTestEngine } from '../../test/support/embedded-engine.ts';
import type { EventId } from '../domain/ids.ts';
import { createSummariseEvent } from './summarise-event.ts';

let tested: TestEngine;
beforeEach(async () => {
  tested = await openEmbeddedTestEngine();
});
afterEach(() => tested.close());

test('a summary joins capacity and exact counts', async () => {
  const event = await storedEvent(tested, { capacityTotal: 2 });
  await enterInTurn(tested, event, 3);
  await tested.advance(25);
  await settleAll(tested, event);
  const summarise = createSummariseEvent(tested.engine.events, tested.engine.statistics);
  expect(await summarise(event.eventId)).toEqual({
    kind: 'summarised',
    summary: {
      eventId: event.eventId,
      capacityTotal: 2,
      capacityRemaining: 0,
      soldOutAt: tested.now(),
      ...(await recount(tested, event)),
    },
  });
});

test('an unknown event has none', async () => {
  const summarise = createSummariseEvent(tested.engine.events, tested.engine.statistics);
  expect(await summarise('none' as EventId)).toMatchObject({ code: 'EVENT_NOT_FOUND' });
});
