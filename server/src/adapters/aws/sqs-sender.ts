import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { Fault } from '../../domain/errors.ts';
import type { Timers } from '../../ports/timers.ts';
import { batchMax, type CallInBatches } from './sqs-batches.ts';
import { encodeSqsMessage, type SqsMessage } from './sqs-message.ts';

export interface SqsSender {
  /** Resolves when SQS has the message. It may have it twice: every reader allows for that. */
  send(message: SqsMessage): Promise<void>;
}

/** Sends what comes within a few milliseconds as one call. */
export function createSqsSender(
  sqs: SQSClient,
  queueUrl: string,
  timers: Timers,
  callInBatches: CallInBatches,
): SqsSender {
  let gathering: Outgoing[] = [];
  const ready: Outgoing[] = [];
  let calls = 0;

  const gather = (outgoing: Outgoing): void => {
    gathering.push(outgoing);
    if (gathering.length === 1) void endGathering(gathering);
    if (gathering.length === batchMax) makeReady();
  };

  const endGathering = async (begun: readonly Outgoing[]): Promise<void> => {
    await timers.sleep(gatherMs);
    if (gathering === begun) makeReady();
  };

  const makeReady = (): void => {
    ready.push(...gathering);
    gathering = [];
    while (ready.length > 0 && calls < callsMax) void sendBatch(ready.splice(0, batchMax));
  };

  const sendBatch = async (batch: readonly Outgoing[]): Promise<void> => {
    calls += 1;
    const failures = await callInBatches(batch, sendOnce);
    calls -= 1;
    for (const outgoing of batch) {
      if (failures.has(outgoing)) outgoing.reject(failures.get(outgoing));
      else outgoing.resolve();
    }
    if (ready.length > 0) void sendBatch(ready.splice(0, batchMax));
  };

  const sendOnce = (batch: readonly Outgoing[]) => {
    const entries = batch.map(({ body }, index) => ({ Id: String(index), MessageBody: body }));
    return sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
  };

  return {
    send(message) {
      if (gathering.length + ready.length >= waitingMax) return Promise.reject(overloaded());
      return new Promise((resolve, reject) => {
        gather({ body: encodeSqsMessage(message), resolve, reject });
      });
    },
  };
}

interface Outgoing {
  readonly body: string;
  resolve(): void;
  reject(reason: unknown): void;
}

const gatherMs = 5;
const callsMax = 32;
const waitingMax = 20_000;

function overloaded(): Fault {
  return new Fault('OVERLOADED', 'Too many messages wait to be sent to SQS.', { retryable: true });
}
