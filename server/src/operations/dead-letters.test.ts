import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedEvent } from '../../test/contracts/first-come-event.ts';
import { dropUntilDead, receiveMessages, settleAll } from '../../test/contracts/receiving.ts';
import { enter, enterInTurn, storedRequest } from '../../test/contracts/taking-part.ts';
import type { TestEngine } from '../../test/contracts/test-engine.ts';
import { openEmbeddedTestEngine } from '../../test/support/embedded-engine.ts';
import type { Event } from '../domain/event.ts';
import type { EventId, MessageId, RequestId, UserId } from '../domain/ids.ts';
import { createDeadLetterOperations, type DeadLetterOperations } from './dead-letters.ts';
import { createRecordAudit } from './record-audit.ts';

const olga = 'olga' as UserId;
const unknown = '019ca6b1-dc00-7000-8000-000000000000' as MessageId;
const all = { limit: 100, after: null };

describe('dead letters in an operator’s hands', () => {
  let tested: TestEngine;
  let event: Event;
  let operations: DeadLetterOperations;
  beforeEach(async () => {
    tested = await openEmbeddedTestEngine();
    event = await storedEvent(tested, { capacityTotal: 1 });
    const { deadLetters, redelivery, events, audit } = tested.engine;
    const clock = { now: tested.now };
    const recordAudit = createRecordAudit(audit, { next: v7 }, clock);
    operations = createDeadLetterOperations(deadLetters, redelivery, events, clock, recordAudit);
  });
  afterEach(() => tested.close());

  const bury = async (userId: string, of: Event = event): Promise<[RequestId, MessageId]> => {
    const requestId = await enter(tested, of, userId);
    await dropUntilDead(tested);
    await tested.advance(10);
    const { items } = await tested.engine.deadLetters.list({ limit: 1, after: null });
    return [requestId, items[0]?.messageId ?? unknown];
  };
  const audited = async () => (await tested.engine.audit.list(all)).items;

  test('they are listed by event, user and error, page by page', async () => {
    const other = await storedEvent(tested, { eventId: 'other' });
    for (const user of ['a', 'b', 'c']) {
      await bury(user, event);
      await bury(user, other);
    }
    const users = async (filter: Parameters<typeof operations.list>[0], limit: number) => {
      const found: string[] = [];
      let after: string | null = null;
      do {
        const page = await operations.list(filter, { limit, after });
        found.push(...page.items.map((item) => `${item.eventId}/${item.userId}`));
        after = page.next;
      } while (after !== null);
      return found;
    };
    for (const limit of [1, 2, 100]) {
      expect(await users({}, limit)).toHaveLength(6);
      expect(await users({ eventId: 'other' as EventId }, limit)).toEqual([
        'other/c',
        'other/b',
        'other/a',
      ]);
      expect(await users({ userId: 'b' }, limit)).toEqual(['other/b', 'sale/b']);
      expect(await users({ errorCode: 'RECEIVES_EXHAUSTED', userId: 'a' }, limit)).toHaveLength(2);
      expect(await users({ errorCode: 'NO_SUCH_CODE' }, limit)).toEqual([]);
    }
  });

  test('a redrive puts the request back and leaves a trail', async () => {
    const [requestId, messageId] = await bury('ann');
    const report = await operations.redrive({ messageIds: [messageId] }, false, olga);
    const item = { messageId, requestId, outcome: 'redriven', isSoldOut: false };
    expect(report).toEqual({ items: [item], next: null });
    expect((await storedRequest(tested, requestId)).status).toBe('QUEUED');
    expect(await tested.engine.deadLetters.depth()).toBe(0);
    expect(await audited()).toMatchObject([
      { operator: 'olga', action: 'dlq.redrive', after: [item] },
    ]);
    await settleAll(tested, event);
    expect((await storedRequest(tested, requestId)).status).toBe('SUCCEEDED');
  });

  test('a dry run changes nothing and warns of a sell-out', async () => {
    const [requestId, messageId] = await bury('ann');
    const dryRun = () => operations.redrive({ messageIds: [messageId] }, true, olga);
    expect((await dryRun()).items).toMatchObject([{ outcome: 'would-redrive', isSoldOut: false }]);
    await enterInTurn(tested, event, 2);
    await settleAll(tested, event);
    expect((await dryRun()).items).toMatchObject([{ outcome: 'would-redrive', isSoldOut: true }]);
    expect((await storedRequest(tested, requestId)).status).toBe('FAILED_FINAL');
    expect(await tested.engine.deadLetters.depth()).toBe(1);
    expect(await audited()).toEqual([]);
  });

  test('a filter redrives what it lists, a page at a time', async () => {
    const ids = [];
    for (const user of ['a', 'b', 'c']) ids.push((await bury(user))[0]);
    const choice = { filter: { eventId: event.eventId }, page: { limit: 2, after: null } };
    const first = await operations.redrive(choice, false, olga);
    expect(first.items).toHaveLength(2);
    expect(first.next).not.toBeNull();
    const rest = { ...choice, page: { limit: 2, after: first.next } };
    expect((await operations.redrive(rest, false, olga)).items).toHaveLength(1);
    const messages = await receiveMessages(tested);
    expect(messages.map((message) => message.requestId)).toEqual(ids);
  });

  test('what is gone or named twice is reported, the rest is redriven', async () => {
    const [, messageId] = await bury('ann');
    const messageIds = [unknown, messageId, messageId];
    const { items } = await operations.redrive({ messageIds }, false, olga);
    expect(items.map((item) => item.outcome)).toEqual(['not-found', 'redriven', 'not-found']);
  });

  test('discarding removes the letter, keeps the request and leaves a trail', async () => {
    const [requestId, messageId] = await bury('ann');
    expect(await operations.discard(messageId, olga)).toEqual({ kind: 'discarded' });
    expect((await storedRequest(tested, requestId)).status).toBe('FAILED_FINAL');
    expect(await audited()).toMatchObject([
      { action: 'dlq.delete', target: messageId, before: { requestId } },
    ]);
    expect(await operations.discard(messageId, olga)).toMatchObject({
      code: 'DEAD_LETTER_NOT_FOUND',
    });
    expect(await audited()).toHaveLength(1);
  });
});
