import { Fault } from '../../domain/errors.ts';
import { type Request, redrive } from '../../domain/request.ts';
import { changesForgottenBy } from '../../domain/timeline.ts';
import type { AdmissionSteps } from '../../ports/admission-steps.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Events } from '../../ports/events.ts';
import type { MessageSender } from '../../ports/message-sender.ts';
import { type Redelivery, redeliverable } from '../../ports/redelivery.ts';
import type { Requests } from '../../ports/requests.ts';
import type { ChangeNotices } from '../system/change-notices.ts';
import { type DynamoDeadLetters, deadLetterIdOf } from './dynamo-dead-letters.ts';
import { progressOf } from './dynamo-settlement.ts';
import type { DynamoTable } from './dynamo-table.ts';
import type { EventTallies } from './event-tallies.ts';
import { redeliveryWrites } from './redelivery-writes.ts';
import type { StatusLogs } from './status-logs.ts';

export interface RedeliveryParts {
  readonly table: DynamoTable;
  readonly events: Events;
  readonly requests: Requests;
  readonly steps: AdmissionSteps;
  readonly sender: MessageSender;
  readonly deadLetters: DynamoDeadLetters;
  readonly tallies: EventTallies;
  readonly logs: StatusLogs;
  readonly notices: ChangeNotices;
  readonly clock: Clock;
}

/** Status first, then the message: whoever finds the status without knowing of the message sends it. */
export function createDynamoRedelivery(parts: RedeliveryParts): Redelivery {
  const { table, events, requests, steps, sender, deadLetters, tallies, logs, notices, clock } =
    parts;

  /** False when somebody else has changed the request meanwhile, and nothing was written. */
  const putBack = async (
    request: Request,
    reason: string,
    occurredAt: number,
  ): Promise<boolean> => {
    const { eventId, requestId } = request;
    const wasQueued = request.queuedAt !== null;
    const after = wasQueued
      ? redrive(request)
      : { ...redrive(request), status: 'RECEIVED' as const };
    const move = { requestId, queuedAt: request.queuedAt, before: progressOf(request), after };
    const letter = await deadLetters.planRemoval(deadLetterIdOf(request));
    const transacted = await table.transact([
      ...(wasQueued
        ? [redeliveryWrites.backToQueued(request, after)]
        : [
            redeliveryWrites.backToReceived(request),
            redeliveryWrites.forgetEnqueueFailure(eventId, request),
          ]),
      ...(await logs.of(requestId, [
        ...changesForgottenBy(request),
        { fromStatus: 'FAILED_FINAL', toStatus: after.status, occurredAt, message: reason },
      ])),
      ...(letter === undefined ? [] : [letter]),
      ...tallies.count(eventId, [move], letter === undefined ? undefined : -1),
    ]);
    if (transacted.kind === 'written') notices.notify(requestId);
    return transacted.kind === 'written';
  };

  const send = async ({ eventId, requestId, userId, requestedAt, queuedAt }: Request) => {
    await sender.send({ eventId, requestId, redriven: true });
    const event = await events.get(eventId);
    if (queuedAt !== null || event === undefined) return;
    await steps.markQueued(event, { requestId, userId, requestedAt }, clock.now);
  };

  return {
    async redeliver(requestId, reason, occurredAt) {
      for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
        const request = await requests.get(requestId);
        if (request === undefined) return { kind: 'missing' };
        const { status, resultCode, redriven } = request;
        const isMendable = resultCode !== null && redeliverable.includes(resultCode);
        const isUnderWay = status === 'RECEIVED' || (status === 'QUEUED' && redriven);
        if (!isMendable && !isUnderWay) return { kind: 'not-failed' };
        if (isMendable && !(await putBack(request, reason, occurredAt))) continue;
        await send(request);
        return { kind: 'queued' };
      }
      throw new Fault('UNAVAILABLE', 'The request changed again and again.', { retryable: true });
    },
  };
}

const attemptsMax = 5;
