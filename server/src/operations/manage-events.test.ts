import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleAll } from '../../test/contracts/receiving.ts';
import { enterInTurn } from '../../test/contracts/taking-part.ts';
import type { TestEngine } from '../../test/contracts/test-engine.ts';
import { openEmbeddedTestEngine } from '../../test/support/embedded-engine.ts';
import type { Event } from '../domain/event.ts';
import { type EventId, parseEventId, type UserId } from '../domain/ids.ts';
import { createManageEvents, type EventManager } from './manage-events.ts';
import { createRecordAudit } from './record-audit.ts';

const olga = 'olga' as UserId;
const sale = { title: 'Sale', eventType: 'FIRST_COME', capacityTotal: 2 } as const;

describe('managing events', () => {
  let tested: TestEngine;
  let manager: EventManager;
  beforeEach(async () => {
    tested = await openEmbeddedTestEngine();
    const clock = { now: tested.now };
    const recordAudit = createRecordAudit(tested.engine.audit, { next: v7 }, clock);
    const { engine } = tested;
    manager = createManageEvents(engine.events, { next: v7 }, clock, recordAudit, engine);
  });
  afterEach(() => tested.close());

  const audited = async () => (await tested.engine.audit.list({ limit: 10, after: null })).items;
  const created = async (eventId = 'sale'): Promise<Event> => {
    const outcome = await manager.create({ ...sale, eventId: eventId as EventId }, olga);
    if (outcome.kind === 'refused') throw new Error(outcome.code);
    return outcome.event;
  };

  test('a created event is stored and audited', async () => {
    const event = await created();
    expect(await tested.engine.events.get(event.eventId)).toEqual(event);
    expect(await audited()).toMatchObject([
      {
        operator: 'olga',
        action: 'event.create',
        target: 'sale',
        occurredAt: tested.now(),
        before: null,
        after: event,
      },
    ]);
  });

  test('an event without an id gets a valid one', async () => {
    const outcome = await manager.create(sale, olga);
    expect(outcome.kind === 'stored' && parseEventId(outcome.event.eventId)).toBeTruthy();
  });

  test('an id that exists or a definition that cannot stand is refused and not audited', async () => {
    await created();
    const eventId = 'sale' as EventId;
    expect(await manager.create({ ...sale, eventId }, olga)).toMatchObject({
      code: 'EVENT_EXISTS',
    });
    const blank = await manager.create({ ...sale, title: ' ' }, olga);
    expect(blank).toMatchObject({ code: 'INVALID_REQUEST', detail: 'title is blank.' });
    expect(await audited()).toHaveLength(1);
  });

  test('a change is stored and audited with what was before', async () => {
    const before = await created();
    await tested.advance(10);
    const outcome = await manager.change(before.eventId, { title: 'Renamed' }, olga);
    const after = await tested.engine.events.get(before.eventId);
    expect(outcome).toEqual({ kind: 'stored', event: after });
    expect(after?.title).toBe('Renamed');
    expect((await audited())[0]).toMatchObject({ action: 'event.change', before, after });
  });

  test('a refused change leaves event and audit trail alone', async () => {
    const event = await created();
    const outcome = await manager.change(event.eventId, { capacityTotal: 1 }, olga);
    expect(outcome).toMatchObject({ code: 'CAPACITY_NOT_RAISED' });
    expect(await tested.engine.events.get(event.eventId)).toEqual(event);
    expect(await audited()).toHaveLength(1);
  });

  test('an unknown event cannot change', async () => {
    const outcome = await manager.change('none' as EventId, { title: 'x' }, olga);
    expect(outcome).toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  test('a sold-out event takes no more places, but other changes', async () => {
    const event = await created();
    await enterInTurn(tested, event, 3);
    await settleAll(tested, event);
    const raised = await manager.change(event.eventId, { capacityTotal: 9 }, olga);
    expect(raised).toMatchObject({ code: 'EVENT_SOLD_OUT' });
    const renamed = await manager.change(event.eventId, { title: 'Gone' }, olga);
    expect(renamed).toMatchObject({ kind: 'stored' });
  });

  test('changes of two operators at once both come to stand', async () => {
    const { eventId } = await created();
    await Promise.all([
      manager.change(eventId, { title: 'Renamed' }, olga),
      manager.change(eventId, { capacityTotal: 7 }, olga),
    ]);
    expect(await tested.engine.events.get(eventId)).toMatchObject({
      title: 'Renamed',
      capacityTotal: 7,
      revision: 2,
    });
    expect((await tested.engine.events.capacityOf(eventId))?.capacityRemaining).toBe(7);
  });
});
