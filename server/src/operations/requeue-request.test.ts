import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedEvent } from '../../test/contracts/first-come-event.ts';
import { dropUntilDead } from '../../test/contracts/receiving.ts';
import { enter, storedRequest } from '../../test/contracts/taking-part.ts';
import type { TestEngine } from '../../test/contracts/test-engine.ts';
import { openEmbeddedTestEngine } from '../../test/support/embedded-engine.ts';
import type { RequestId, UserId } from '../domain/ids.ts';
import { createRecordAudit } from './record-audit.ts';
import { createRequeueRequest, type RequeueRequest } from './requeue-request.ts';

const olga = 'olga' as UserId;

describe('re-queueing a request', () => {
  let tested: TestEngine;
  let requeue: RequeueRequest;
  beforeEach(async () => {
    tested = await openEmbeddedTestEngine();
    const clock = { now: tested.now };
    const recordAudit = createRecordAudit(tested.engine.audit, { next: v7 }, clock);
    requeue = createRequeueRequest(tested.engine.redelivery, clock, recordAudit);
  });
  afterEach(() => tested.close());

  const audited = async () => (await tested.engine.audit.list({ limit: 10, after: null })).items;

  test('a failed one goes back into the queue, with a trail of who did it', async () => {
    const requestId = await enter(tested, await storedEvent(tested));
    await dropUntilDead(tested);
    expect(await requeue(requestId, olga)).toEqual({ kind: 'queued' });
    expect((await storedRequest(tested, requestId)).status).toBe('QUEUED');
    expect(await audited()).toMatchObject([
      { operator: 'olga', action: 'request.requeue', target: requestId },
    ]);
    const log = await tested.engine.requests.logOf(requestId);
    expect(log.some((change) => change.message?.includes('olga'))).toBe(true);
  });

  test('one that has not failed is refused without a trace', async () => {
    const requestId = await enter(tested, await storedEvent(tested));
    expect(await requeue(requestId, olga)).toMatchObject({ code: 'NOT_REQUEUEABLE' });
    expect(await audited()).toEqual([]);
  });

  test('one that does not exist is not found', async () => {
    const unknown = '019ca6b1-dc00-7000-8000-000000000000' as RequestId;
    expect(await requeue(unknown, olga)).toMatchObject({ code: 'REQUEST_NOT_FOUND' });
  });
});
