import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { createManualTimers, nextTurn, until } from '../../../test/support/manual-timers.ts';
import { defineEvent } from '../../domain/define-event.ts';
import { Fault } from '../../domain/errors.ts';
import type { Event } from '../../domain/event.ts';
import type { EventId, UserId } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Admission, Admitted } from '../../ports/admission.ts';
import { createRequestIds } from '../system/request-ids.ts';
import { createLmdbAdmission, readAdmittedCount } from './lmdb-admission.ts';
import { type Environment, openEnvironment } from './lmdb-environment.ts';
import { createLmdbEvents, loadEventRegistry } from './lmdb-events.ts';
import { createLanes } from './lmdb-lanes.ts';

const unflushedMax = 20;

describe('admission when the disk does not follow', () => {
  let directory: string;
  let env: Environment;
  let admission: Admission;
  let event: Event;
  let failures: number;
  let turnsTaken: number;
  let isLoadSteady: boolean;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fairline-admission-'));
    env = openEnvironment(directory, 'flush');
    failures = 0;
    turnsTaken = 0;
    isLoadSteady = false;
    const clock = createManualClock();
    const registry = loadEventRegistry(env);
    event = await storeEvent(
      createLmdbEvents(env, registry, createLanes(env), () => {}),
      clock.now(),
    );
    admission = createLmdbAdmission(
      { ...env, writeIf },
      registry,
      createRequestIds(clock, 0),
      createManualTimers(clock),
      { statusLog: 'exceptions', unflushedMax },
      () => {},
    );
  });
  afterEach(async () => {
    await env.close();
    await rm(directory, { recursive: true });
  });

  /**
   * The real write, or a fault before it reaches the disk. Under steady load each one answers only
   * after somebody else has come.
   */
  const writeIf: Environment['writeIf'] = async (...write) => {
    const turn = turnsTaken;
    failures -= 1;
    const isFailing = failures >= 0;
    const kept = isFailing ? false : await env.writeIf(...write);
    await until(() => !isLoadSteady || turnsTaken > turn + 1);
    if (!isFailing) return kept;
    throw new Fault('UNAVAILABLE', 'The disk is full.', { retryable: true });
  };

  const admit = (user: string): Promise<Admitted> => admission.admit(event, user as UserId, 1);

  test('past the limit of what waits for the disk newcomers are told to come back', async () => {
    const waiting = Array.from({ length: unflushedMax }, (_, number) => admit(`user-${number}`));
    await expect(admit('one-too-many')).rejects.toMatchObject({
      code: 'OVERLOADED',
      retryable: true,
    });
    await Promise.all(waiting);
    expect(await admit('one-too-many')).toMatchObject({ kind: 'accepted' });
  });

  test('a failed write refuses everybody in it, keeps nothing and locks nobody out', async () => {
    failures = 1;
    const refused = await Promise.allSettled([admit('ann'), admit('ann'), admit('bob')]);
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Fault) });
    }
    expect(await admission.find(event, 'ann' as UserId)).toBeUndefined();
    expect(readAdmittedCount(env, 1)).toBe(0);
    expect(await admit('ann')).toMatchObject({ kind: 'accepted' });
    expect(await admit('bob')).toMatchObject({ kind: 'accepted' });
    expect(readAdmittedCount(env, 1)).toBe(2);
  });

  test('one failed write does not keep the door shut while people keep coming', async () => {
    failures = 1;
    isLoadSteady = true;
    const answers: Promise<PromiseSettledResult<Admitted>[]>[] = [];
    for (let number = 0; number < 60; number += 1) {
      answers.push(Promise.allSettled([admit(`user-${number}`)]));
      await nextTurn();
      turnsTaken += 1;
      await answers[number - 10];
    }
    isLoadSteady = false;
    const outcomes = (await Promise.all(answers)).flat();
    const accepted = outcomes.slice(20).filter((outcome) => outcome.status === 'fulfilled');
    expect(accepted.length).toBeGreaterThan(0);
    expect(readAdmittedCount(env, 1)).toBe(
      outcomes.filter((outcome) => outcome.status === 'fulfilled').length,
    );
  });
});

async function storeEvent(
  events: ReturnType<typeof createLmdbEvents>,
  now: number,
): Promise<Event> {
  const defined = defineEvent(
    'sale' as EventId,
    { title: 'Sale', eventType: 'FIRST_COME', capacityTotal: 3 },
    { indexShards: 1 },
    now,
  );
  invariant(defined.kind === 'defined', 'A test defines valid events.');
  await events.create(defined.event);
  return defined.event;
}
