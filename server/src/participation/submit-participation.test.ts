import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { storedEvent } from '../../test/contracts/first-come-event.ts';
import type { TestEngine } from '../../test/contracts/test-engine.ts';
import { openEmbeddedTestEngine } from '../../test/support/embedded-engine.ts';
import type { Event } from '../domain/event.ts';
import type { EventId, UserId } from '../domain/ids.ts';
import { createSubmitParticipation, type SubmitParticipation } from './submit-participation.ts';

const ann = 'ann' as UserId;
const bob = 'bob' as UserId;

describe('submitting a participation', () => {
  let tested: TestEngine;
  let event: Event;
  let submit: SubmitParticipation;
  const telemetry = {
    accepted: vi.fn(),
    duplicate: vi.fn(),
    finished: vi.fn(),
    attemptFailed: vi.fn(),
    undecodable: vi.fn(),
  };

  beforeEach(async () => {
    vi.clearAllMocks();
    tested = await openEmbeddedTestEngine();
    const { events, admission } = tested.engine;
    submit = createSubmitParticipation(events, admission, { now: tested.now }, telemetry);
    event = await storedEvent(tested, {
      opensAt: tested.now() + 1000,
      closesAt: tested.now() + 2000,
    });
  });
  afterEach(() => tested.close());

  const setStatus = async (status: Event['status']): Promise<void> => {
    const before = (await tested.engine.events.get(event.eventId)) ?? event;
    await tested.engine.events.replace(before, {
      ...before,
      status,
      revision: before.revision + 1,
    });
  };

  test('within the event’s time is accepted, and a second click is a duplicate', async () => {
    await tested.advance(1000);
    const first = await submit(event.eventId, ann);
    expect(first).toMatchObject({ kind: 'accepted' });
    const second = await submit(event.eventId, ann);
    expect(second).toEqual({ ...first, kind: 'duplicate' });
    expect(telemetry.accepted).toHaveBeenCalledTimes(1);
    expect(telemetry.duplicate).toHaveBeenCalledTimes(1);
  });

  test('to an unknown event is refused', async () => {
    expect(await submit('none' as EventId, ann)).toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  test('an early click is refused and costs nobody their place', async () => {
    await tested.advance(999);
    expect(await submit(event.eventId, ann)).toMatchObject({ code: 'EVENT_NOT_OPEN' });
    expect(await tested.engine.admission.find(event, ann)).toBeUndefined();
    await tested.advance(1);
    expect(await submit(event.eventId, ann)).toMatchObject({ kind: 'accepted' });
  });

  test('after the end newcomers are refused, participants get their request again', async () => {
    await tested.advance(2000);
    const first = await submit(event.eventId, ann);
    expect(first).toMatchObject({ kind: 'accepted' });
    await tested.advance(1);
    expect(await submit(event.eventId, bob)).toMatchObject({ code: 'EVENT_CLOSED' });
    expect(await submit(event.eventId, ann)).toEqual({ ...first, kind: 'duplicate' });
    expect(await tested.engine.admission.find(event, bob)).toBeUndefined();
  });

  test.each([
    ['PAUSED', 'EVENT_PAUSED'],
    ['CLOSED', 'EVENT_CLOSED'],
  ] as const)('while %s newcomers are refused and participants are not', async (status, code) => {
    await tested.advance(1000);
    const first = await submit(event.eventId, ann);
    await setStatus(status);
    expect(await submit(event.eventId, bob)).toMatchObject({ code });
    expect(await submit(event.eventId, ann)).toEqual({ ...first, kind: 'duplicate' });
  });

  test('a paused event that goes on accepts again', async () => {
    await tested.advance(1000);
    await setStatus('PAUSED');
    await submit(event.eventId, ann);
    await setStatus('OPEN');
    expect(await submit(event.eventId, ann)).toMatchObject({ kind: 'accepted' });
  });
});
