import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { storedEvent } from '../../test/contracts/first-come-event.ts';
import { receiveMessages, settleAll } from '../../test/contracts/receiving.ts';
import { storedRequest } from '../../test/contracts/taking-part.ts';
import { type AwsTestEngine, openAwsTestEngine } from '../../test/support/aws/aws-engine.ts';
import { awsVariables } from '../../test/support/aws/aws-variables.ts';
import { type Emulator, startDynamoEmulator } from '../../test/support/aws/dynamo-emulator.ts';
import { startSqsEmulator } from '../../test/support/aws/sqs-emulator.ts';
import { admissionWrites } from '../adapters/aws/admission-writes.ts';
import type { Event } from '../domain/event.ts';
import type { RequestId, UserId } from '../domain/ids.ts';

const kim = 'kim' as UserId;
const requestId = '019ca6b1-dc00-7000-8000-000000000001' as RequestId;

describe('an admission in steps', () => {
  let dynamo: Emulator;
  let sqs: Emulator;
  let tested: AwsTestEngine;
  let event: Event;
  beforeAll(async () => {
    [dynamo, sqs] = await Promise.all([startDynamoEmulator(), startSqsEmulator()]);
    for (const [name, value] of Object.entries(awsVariables(dynamo, sqs))) vi.stubEnv(name, value);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await Promise.all([dynamo.stop(), sqs.stop()]);
  });
  beforeEach(async () => {
    tested = await openAwsTestEngine();
    event = await storedEvent(tested);
  });
  afterEach(() => tested.close());

  const press = () => tested.engine.admission.admit(event, kim, tested.now());
  const leaveLock = () =>
    tested.table.write(admissionWrites.takeLock(event, kim, requestId, tested.now()));
  const leaveReceived = () => {
    const entrant = { requestId, userId: kim, requestedAt: tested.now() };
    return tested.table.write(admissionWrites.storeReceived(event, entrant));
  };

  test('a crash after the lock is healed by the next press, with the same request', async () => {
    await leaveLock();
    expect(await tested.engine.admission.find(event, kim)).toBeUndefined();
    expect(await press()).toEqual({ kind: 'duplicate', requestId });
    expect((await storedRequest(tested, requestId)).status).toBe('QUEUED');
    expect(await receiveMessages(tested)).toMatchObject([{ requestId }]);
  });

  test('a crash after RECEIVED is healed by the next press, with the same request', async () => {
    await leaveLock();
    await leaveReceived();
    expect(await press()).toEqual({ kind: 'duplicate', requestId });
    expect((await storedRequest(tested, requestId)).status).toBe('QUEUED');
    expect(await receiveMessages(tested)).toMatchObject([{ requestId }]);
  });

  test('a crash after the enqueue is healed by the worker, with the time of the message', async () => {
    await press();
    const [message] = await receiveMessages(tested);
    const sentAt = tested.now();
    await leaveLock();
    await leaveReceived();
    await tested.advance(5000);
    const delivered = message === undefined ? [] : [{ ...message, requestId }];
    await tested.engine.settlement.settle(event, delivered, tested.now(), tested.now());
    expect(await storedRequest(tested, requestId)).toMatchObject({
      status: 'SUCCEEDED',
      queuedAt: sentAt,
    });
  });

  test('when the queue takes nothing the request fails, stays the user’s, and can be re-queued', async () => {
    await tested.removeQueue();
    const admitted = await press();
    expect(admitted.kind).toBe('accepted');
    const failed = await storedRequest(tested, admitted.requestId);
    expect(failed).toMatchObject({
      status: 'FAILED_FINAL',
      resultCode: 'FAILED_INGEST_ENQUEUE',
      queuedAt: null,
      failure: { failureClass: 'RETRYABLE', errorCode: 'FAILED_INGEST_ENQUEUE' },
    });
    expect(await press()).toEqual({ ...admitted, kind: 'duplicate' });
    const page = { limit: 10, after: null };
    const { requests, statistics } = tested.engine;
    expect((await requests.listEnqueueFailures(event, page)).items).toEqual([failed]);
    expect((await statistics.of(event)).byStatus).toMatchObject({ FAILED_FINAL: 1, QUEUED: 0 });

    await tested.restoreQueue();
    const { redelivery } = tested.engine;
    const redelivered = await redelivery.redeliver(admitted.requestId, 'Again.', tested.now());
    expect(redelivered).toEqual({ kind: 'queued' });
    expect((await requests.listEnqueueFailures(event, page)).items).toEqual([]);
    await settleAll(tested, event);
    expect((await storedRequest(tested, admitted.requestId)).status).toBe('SUCCEEDED');
    expect((await statistics.of(event)).byStatus).toMatchObject({ FAILED_FINAL: 0, SUCCEEDED: 1 });
  });
});
