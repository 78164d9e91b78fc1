import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventId } from '../../src/domain/ids.ts';
import { BadPosition } from '../../src/ports/page.ts';
import { definedEvent, storedEvent } from './first-come-event.ts';
import { settleAll } from './receiving.ts';
import { enterInTurn } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

export function eventsContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: events`, () => {
    let tested: TestEngine;
    beforeEach(async () => {
      tested = await createEngine();
    });
    afterEach(() => tested.close());

    test('an event is stored together with its capacity, and survives a restart', async () => {
      const event = await storedEvent(tested, { capacityTotal: 7 });
      await tested.restart();

      expect(await tested.engine.events.get(event.eventId)).toEqual(event);
      expect(await tested.engine.events.capacityOf(event.eventId)).toEqual({
        capacityTotal: 7,
        capacityRemaining: 7,
        soldOutAt: null,
        updatedAt: event.createdAt,
      });
    });

    test('an unknown event has neither definition nor capacity', async () => {
      expect(await tested.engine.events.get('none' as EventId)).toBeUndefined();
      expect(await tested.engine.events.capacityOf('none' as EventId)).toBeUndefined();
    });

    test('an id that exists changes nothing', async () => {
      const event = await storedEvent(tested, { capacityTotal: 7 });
      const other = definedEvent(tested, { title: 'Another', capacityTotal: 9 });

      expect(await tested.engine.events.create(other)).toBe('exists');
      expect(await tested.engine.events.get(event.eventId)).toEqual(event);
      const capacity = await tested.engine.events.capacityOf(event.eventId);
      expect(capacity?.capacityTotal).toBe(7);
    });

    test('of two creations of one id at once exactly one stands', async () => {
      const titles = ['One', 'Two', 'Three'];
      const outcomes = await Promise.all(
        titles.map((title) => tested.engine.events.create(definedEvent(tested, { title }))),
      );

      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
      const stored = await tested.engine.events.get('sale' as EventId);
      expect(stored?.title).toBe(titles[outcomes.indexOf('created')]);
    });

    test('the list is in order of the ids and goes on where a page ended', async () => {
      const ids = ['b', 'A', 'c-1', 'B_2', '9'];
      for (const eventId of ids) await storedEvent(tested, { eventId });

      const listed: string[] = [];
      let after: string | null = null;
      do {
        const page = await tested.engine.events.list({ limit: 2, after });
        expect(page.items.length).toBeLessThanOrEqual(2);
        listed.push(...page.items.map((event) => event.eventId));
        after = page.next;
      } while (after !== null);

      expect(listed).toEqual([...ids].sort());
    });

    test('a page that ends with the list has no next one', async () => {
      await storedEvent(tested, { eventId: 'one' });
      await storedEvent(tested, { eventId: 'two' });

      expect(await tested.engine.events.list({ limit: 2, after: null })).toMatchObject({
        next: null,
      });
    });

    test('a position that was never given out is refused', async () => {
      await storedEvent(tested);
      const list = tested.engine.events.list({ limit: 2, after: 'no position#' });
      await expect(list).rejects.toBeInstanceOf(BadPosition);
    });

    test('a change is stored if nobody else changed the event meanwhile', async () => {
      const { events } = tested.engine;
      const event = await storedEvent(tested);
      const renamed = { ...event, title: 'Renamed', revision: event.revision + 1 };
      const stale = { ...event, title: 'Stale', revision: event.revision + 1 };

      expect(await events.replace(event, renamed)).toBe('replaced');
      expect(await events.replace(event, stale)).toBe('changed-meanwhile');
      expect(await events.get(event.eventId)).toEqual(renamed);
      await tested.restart();
      expect(await tested.engine.events.get(event.eventId)).toEqual(renamed);
    });

    test('of two changes at once exactly one stands', async () => {
      const event = await storedEvent(tested, { capacityTotal: 3 });
      const changes = [5, 6, 7].map((capacityTotal) => ({ ...event, capacityTotal, revision: 1 }));
      const outcomes = await Promise.all(
        changes.map((change) => tested.engine.events.replace(event, change)),
      );

      expect(outcomes.filter((outcome) => outcome === 'replaced')).toHaveLength(1);
      const stands = changes[outcomes.indexOf('replaced')];
      expect(await tested.engine.events.get(event.eventId)).toEqual(stands);
      const capacity = await tested.engine.events.capacityOf(event.eventId);
      expect(capacity?.capacityRemaining).toBe(stands?.capacityTotal);
    });

    test('a raised total raises what remains by as much', async () => {
      const event = await storedEvent(tested, { capacityTotal: 3 });
      await enterInTurn(tested, event, 2);
      await settleAll(tested, event);

      const raised = { ...event, capacityTotal: 10, revision: 1, updatedAt: tested.now() + 1 };
      expect(await tested.engine.events.replace(event, raised)).toBe('replaced');

      expect(await tested.engine.events.capacityOf(event.eventId)).toEqual({
        capacityTotal: 10,
        capacityRemaining: 8,
        soldOutAt: null,
        updatedAt: raised.updatedAt,
      });
    });

    test('once sold out a higher total is refused and nothing changes', async () => {
      const event = await storedEvent(tested, { capacityTotal: 1 });
      await enterInTurn(tested, event, 2);
      await settleAll(tested, event);
      const before = await tested.engine.events.capacityOf(event.eventId);

      const raised = { ...event, title: 'More', capacityTotal: 10, revision: 1 };
      expect(await tested.engine.events.replace(event, raised)).toBe('sold-out');

      expect(await tested.engine.events.get(event.eventId)).toEqual(event);
      expect(await tested.engine.events.capacityOf(event.eventId)).toEqual(before);
    });

    test('an event whose places are gone, with nobody rejected yet, can still grow', async () => {
      const event = await storedEvent(tested, { capacityTotal: 2 });
      await enterInTurn(tested, event, 2);
      await settleAll(tested, event);

      const raised = { ...event, capacityTotal: 3, revision: 1 };
      expect(await tested.engine.events.replace(event, raised)).toBe('replaced');
      const capacity = await tested.engine.events.capacityOf(event.eventId);
      expect(capacity?.capacityRemaining).toBe(1);
    });
  });
}
