import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedEvent } from '../../../test/contracts/first-come-event.ts';
import {
  brokenStore,
  dropUntilDead,
  receiveNow,
  receiveOne,
  settleAll,
} from '../../../test/contracts/receiving.ts';
import { enter, enterInTurn, storedRequest } from '../../../test/contracts/taking-part.ts';
import {
  type EmbeddedTestEngine,
  openEmbeddedTestEngine,
} from '../../../test/support/embedded-engine.ts';
import type { Event } from '../../domain/event.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Environment } from './lmdb-environment.ts';

const dayMs = 24 * 60 * 60 * 1000;
const all = { limit: 1000, after: null };

describe('sweeping', () => {
  let tested: EmbeddedTestEngine;
  let event: Event;
  beforeEach(async () => {
    tested = await openEmbeddedTestEngine();
    event = await storedEvent(tested, { indexShards: 3, closesAt: tested.now() + dayMs });
  });
  afterEach(() => tested.close());

  /** Moves the clock to a time after the given one and sweeps until nothing is left to do. */
  const sweepAt = async (at: number): Promise<void> => {
    await tested.advance(at - tested.now());
    while (await tested.engine.sweep());
  };
  const count = (store: Exclude<keyof Environment, 'write' | 'writeIf' | 'close'>) =>
    tested.withEnvironment((env) => env[store].getKeysCount({}));
  const found = (userId: string) => tested.engine.admission.find(event, userId as UserId);

  test('locks stay until 7 days after the end, and then go; requests stay', async () => {
    const ids = await enterInTurn(tested, event, 5);
    await settleAll(tested, event);
    await sweepAt(event.closesAt + 7 * dayMs - 1);
    expect(await found('user-0')).toBe(ids[0]);

    await sweepAt(event.closesAt + 7 * dayMs);

    for (const index of ids.keys()) expect(await found(`user-${index}`)).toBeUndefined();
    const listed = await tested.engine.requests.listByEvent(event, 'asc', all);
    expect(listed.items.map((request) => request.requestId)).toEqual(ids);
    const mine = await tested.engine.requests.listByUser('user-0' as UserId, all);
    expect(mine.items).toHaveLength(1);
  });

  test('requests and all their index entries go 90 days after the end', async () => {
    const [first] = await enterInTurn(tested, event, 5);
    await settleAll(tested, event);
    await sweepAt(event.closesAt + 90 * dayMs - 1);
    expect(await count('requests')).toBe(5);

    await sweepAt(event.closesAt + 90 * dayMs);

    expect(first && (await tested.engine.requests.get(first))).toBeUndefined();
    expect((await tested.engine.requests.listByEvent(event, 'asc', all)).items).toEqual([]);
    expect(await count('requests')).toBe(0);
    expect(await count('participants')).toBe(0);
    expect(await count('byEvent')).toBe(0);
    expect(await tested.engine.events.get(event.eventId)).toEqual(event);
  });

  test('more than a slice is swept in several, and other events are left alone', async () => {
    const running = await storedEvent(tested, {
      eventId: 'running',
      closesAt: tested.now() + 300 * dayMs,
    });
    const kept = await enter(tested, running, 'user-7');
    const users = Array.from({ length: 1300 }, (_, index) => `user-${index}` as UserId);
    await Promise.all(
      users.map((user) => tested.engine.admission.admit(event, user, tested.now())),
    );

    await tested.advance(100 * dayMs);
    let slices = 0;
    while (await tested.engine.sweep()) slices += 1;

    expect(slices).toBeGreaterThan(2);
    expect(await count('requests')).toBe(1);
    expect(await count('participants')).toBe(2);
    expect((await storedRequest(tested, kept)).userId).toBe('user-7');
  });

  test('an end that moved later keeps locks and requests longer', async () => {
    const requestId = await enter(tested, event, 'ann');
    const later = { ...event, closesAt: event.closesAt + 6 * dayMs, revision: 1 };
    await tested.engine.events.replace(event, later);
    await sweepAt(event.closesAt + 12 * dayMs);
    expect(await found('ann')).toBe(requestId);
    await sweepAt(event.closesAt + 13 * dayMs);
    expect(await found('ann')).toBeUndefined();
  });

  test('logs go after 30 days', async () => {
    const requestId = await enter(tested, event);
    const occurredAt = tested.now();
    const message = await receiveOne(tested);
    await tested.engine.settlement.recordAttempt(message, brokenStore, occurredAt);
    await sweepAt(occurredAt + 30 * dayMs);
    expect(await tested.engine.requests.logOf(requestId)).toHaveLength(1);
    await sweepAt(occurredAt + 30 * dayMs + 1);
    expect(await tested.engine.requests.logOf(requestId)).toEqual([]);
    expect(await count('expiries')).toBe(0);
  });

  test('dead letters go after 30 days, counted out; their requests stay', async () => {
    const requestId = await enter(tested, event);
    await dropUntilDead(tested);
    const occurredAt = tested.now();
    await sweepAt(occurredAt + 30 * dayMs);
    expect(await tested.engine.deadLetters.depth()).toBe(1);
    await sweepAt(occurredAt + 30 * dayMs + 1);
    expect(await tested.engine.deadLetters.depth()).toBe(0);
    expect((await tested.engine.deadLetters.list(all)).items).toEqual([]);
    expect(await count('deadLetters')).toBe(0);
    expect((await storedRequest(tested, requestId)).status).toBe('FAILED_FINAL');
  });

  test('the expiry of an earlier dead letter does not take the later one of a request', async () => {
    const requestId = await enter(tested, event);
    await dropUntilDead(tested);
    const first = tested.now();
    await tested.advance(dayMs);
    await tested.engine.redelivery.redeliver(requestId, 'Again.', tested.now());
    await dropUntilDead(tested);
    await sweepAt(first + 30 * dayMs + 1);
    expect((await tested.engine.deadLetters.list(all)).items).toHaveLength(1);
    expect(await tested.engine.deadLetters.depth()).toBe(1);
  });

  test('audit entries go after 400 days', async () => {
    const occurredAt = tested.now();
    const entry = { operator: 'olga', action: 'a', target: 't', before: null, after: null };
    await tested.engine.audit.append({ id: v7(), occurredAt, ...entry });
    await sweepAt(occurredAt + 400 * dayMs);
    expect((await tested.engine.audit.list(all)).items).toHaveLength(1);
    await sweepAt(occurredAt + 400 * dayMs + 1);
    expect((await tested.engine.audit.list(all)).items).toEqual([]);
    expect(await count('audit')).toBe(0);
  });

  test('a message that outlived its request leaves no dead letter that nobody can find', async () => {
    await enter(tested, event);
    for (let receive = 0; receive < tested.receivesMax; receive += 1) {
      await receiveNow(tested);
      await tested.advance(tested.visibilityMs);
    }
    await sweepAt(event.closesAt + 90 * dayMs);
    await receiveNow(tested);
    const listed = await tested.engine.deadLetters.list(all);
    expect(await tested.engine.deadLetters.depth()).toBe(listed.items.length);
  });
});
