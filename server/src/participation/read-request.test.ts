import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedEvent } from '../../test/contracts/first-come-event.ts';
import { settleAll } from '../../test/contracts/receiving.ts';
import { enter, storedRequest } from '../../test/contracts/taking-part.ts';
import type { TestEngine } from '../../test/contracts/test-engine.ts';
import { openEmbeddedTestEngine } from '../../test/support/embedded-engine.ts';
import type { Event } from '../domain/event.ts';
import type { EventId, RequestId, UserId } from '../domain/ids.ts';
import { createReadRequest, createReadSettled, type RequestReader } from './read-request.ts';

const ann = { userId: 'ann' as UserId, isOperator: false };
const bob = { userId: 'bob' as UserId, isOperator: false };
const olga = { userId: 'olga' as UserId, isOperator: true };

describe('reading a request', () => {
  let tested: TestEngine;
  let event: Event;
  let reader: RequestReader;
  let requestId: RequestId;
  beforeEach(async () => {
    tested = await openEmbeddedTestEngine();
    const { events, admission, requests, line } = tested.engine;
    reader = createReadRequest(events, admission, requests, line);
    event = await storedEvent(tested);
    await enter(tested, event, 'first');
    requestId = await enter(tested, event, 'ann');
  });
  afterEach(() => tested.close());

  test('its owner and operators see it, with its place in the line', async () => {
    const request = await storedRequest(tested, requestId);
    const found = { kind: 'found', request, standing: { position: 1, etaMs: null } };
    expect(await reader.byId(requestId, ann)).toEqual(found);
    expect(await reader.byId(requestId, olga)).toEqual(found);
    expect(await reader.mine(event.eventId, ann)).toEqual(found);
  });

  test('to anybody else it does not exist', async () => {
    const unknown = '019ca6b1-dc00-7000-8000-000000000000' as RequestId;
    const answer = await reader.byId(requestId, bob);
    expect(answer).toMatchObject({ code: 'REQUEST_NOT_FOUND' });
    expect(answer).toEqual(await reader.byId(unknown, bob));
  });

  test('who does not take part has no request in the event', async () => {
    expect(await reader.mine(event.eventId, bob)).toMatchObject({ code: 'REQUEST_NOT_FOUND' });
    expect(await reader.mine(event.eventId, olga)).toMatchObject({ code: 'REQUEST_NOT_FOUND' });
  });

  test('an unknown event is told apart', async () => {
    const unknown = await reader.mine('none' as EventId, ann);
    expect(unknown).toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  test('once done it has no place in the line', async () => {
    await settleAll(tested, event);
    expect(await reader.byId(requestId, ann)).toMatchObject({
      request: { status: 'SUCCEEDED' },
      standing: { position: null, etaMs: null },
    });
  });

  test('from a copy only what is settled is told, the rest is asked', async () => {
    const asked: RequestId[] = [];
    const read = createReadSettled(tested.engine.requests, async (id, viewer) => {
      asked.push(id);
      return reader.byId(id, viewer);
    });
    expect(await read(requestId, ann)).toMatchObject({ standing: { position: 1 } });
    expect(asked).toEqual([requestId]);
    await settleAll(tested, event);
    const settled = await reader.byId(requestId, ann);
    expect(await read(requestId, ann)).toEqual(settled);
    expect(asked).toHaveLength(1);
    expect(await read(requestId, bob)).toEqual({ kind: 'refused', code: 'REQUEST_NOT_FOUND' });
    expect(asked).toHaveLength(2);
  });
});
