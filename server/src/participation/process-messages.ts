import { backOffMs } from '../domain/back-off.ts';
import { Fault } from '../domain/errors.ts';
import type { Event } from '../domain/event.ts';
import type { EventId } from '../domain/ids.ts';
import type { Failure } from '../domain/request.ts';
import type { Chance } from '../ports/chance.ts';
import type { Clock } from '../ports/clock.ts';
import type { Events } from '../ports/events.ts';
import type { FaultSwitch } from '../ports/fault-switch.ts';
import type { Logger } from '../ports/logger.ts';
import type { Delivery, Message, Queue, UndecodableMessage } from '../ports/queue.ts';
import type { Settled, Settlement } from '../ports/settlement.ts';
import type { Finished, Telemetry } from '../ports/telemetry.ts';
import { failedByFault, rejectedByFault, undecodable, unexpected } from './message-failures.ts';

export interface ProcessingPorts {
  readonly events: Events;
  readonly queue: Queue;
  readonly settlement: Settlement;
  readonly faults: FaultSwitch;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly telemetry: Telemetry;
  readonly logger: Logger;
}

/** Brings received messages to their end, whichever of at-least-once's surprises they are. */
export function createProcessMessages(
  ports: ProcessingPorts,
  limits: { readonly receivesMax: number; readonly backOffMsMax: number },
) {
  const { events, queue, settlement, faults, clock, chance, telemetry, logger } = ports;

  const processEvent = async (eventId: EventId, messages: readonly Message[]): Promise<void> => {
    const event = await events.get(eventId);
    if (event === undefined) {
      logger.error({ eventId, count: messages.length }, 'Dropped messages of an unknown event.');
      return queue.acknowledge(messages);
    }
    const startedAt = clock.now();
    const sorted = sortByFate(messages);
    for (const message of sorted.hopeless) await failFinally(message, rejectedByFault, startedAt);
    for (const message of sorted.exhausted) await failFinally(message, failedByFault, startedAt);
    await settleOrIsolate(event, sorted.ready, startedAt);
    for (const message of sorted.failing) await tryLater(message, failedByFault, startedAt);
  };

  /** Whoever stands behind a message that fails here is told so by the settlement. */
  const sortByFate = (messages: readonly Message[]) => {
    const hopeless: Message[] = [];
    const exhausted: Message[] = [];
    const failing: Message[] = [];
    const ready: Message[] = [];
    for (const message of messages) {
      const fault = faults.take(message.eventId);
      if (fault === 'nonretryable') hopeless.push(message);
      else if (fault === 'retryable') {
        (message.receiveCount >= limits.receivesMax ? exhausted : failing).push(message);
      } else ready.push(message);
    }
    return { hopeless, exhausted, failing, ready };
  };

  const settle = async (
    event: Event,
    messages: readonly Message[],
    startedAt: number,
  ): Promise<void> => {
    if (messages.length === 0) return;
    const outcomes = await settlement.settle(event, messages, startedAt, clock.now());
    const done: Message[] = [];
    const behind: Message[] = [];
    const finished: Finished[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const message = messages[index];
      if (message === undefined) continue;
      if (outcome.kind === 'behind') behind.push(message);
      else if (isOnItsWayToTheDeadLetters(outcome)) await queue.backOff(message, 0);
      else done.push(message);
      if (outcome.kind === 'settled') finished.push(outcome);
      if (outcome.kind === 'missing') logger.warn(reference(message), 'Message without a request.');
    }
    telemetry.finished(finished);
    await queue.acknowledge(done);
    await queue.giveBack(behind);
  };

  /**
   * A fault of the store concerns everyone and is thrown on. Anything else is the doing of one
   * message: they are settled one by one, and only the one that fails again has failed.
   */
  const settleOrIsolate = async (
    event: Event,
    messages: readonly Message[],
    startedAt: number,
  ): Promise<void> => {
    try {
      await settle(event, messages, startedAt);
    } catch (error) {
      const [first, ...rest] = messages;
      if (error instanceof Fault || first === undefined) throw error;
      if (rest.length > 0) {
        for (const message of messages) await settleOrIsolate(event, [message], startedAt);
      } else {
        await failAttempt(first, unexpected(error), startedAt);
      }
    }
  };

  const failAttempt = (message: Message, failure: Failure, startedAt: number): Promise<void> =>
    message.receiveCount >= limits.receivesMax
      ? failFinally(message, failure, startedAt)
      : tryLater(message, failure, startedAt);

  const failFinally = async (
    message: Message,
    failure: Failure,
    startedAt: number,
  ): Promise<void> => {
    const resultCode = 'FAILED_WORKER';
    const outcome = await settlement.fail(message, resultCode, failure, startedAt, clock.now());
    telemetry.attemptFailed(failure.errorCode);
    if (outcome.kind === 'settled') telemetry.finished([outcome]);
    logger.warn({ ...reference(message), ...failure }, 'Request failed for good.');
    if (isOnItsWayToTheDeadLetters(outcome)) await queue.backOff(message, 0);
    else await queue.acknowledge([message]);
  };

  const tryLater = async (message: Message, failure: Failure, startedAt: number): Promise<void> => {
    await settlement.recordAttempt(message, failure, startedAt);
    telemetry.attemptFailed(failure.errorCode);
    const delayMs = backOffMs(message.receiveCount, chance.fraction(), limits.backOffMsMax);
    logger.warn({ ...reference(message), ...failure, delayMs }, 'Attempt failed; will try again.');
    await queue.backOff(message, delayMs);
  };

  const dropUndecodable = async (message: UndecodableMessage): Promise<void> => {
    const now = clock.now();
    telemetry.undecodable();
    logger.error({ messageId: message.messageId }, 'Dropped a message that cannot be decoded.');
    if (message.request !== null) {
      await settlement.fail(message.request, 'FAILED_SERDE', undecodable, now, now);
    }
    await queue.acknowledge([message]);
  };

  /** A fault of the store is nobody's failed attempt: what was not handled goes back uncounted. */
  return async (deliveries: readonly Delivery[]): Promise<void> => {
    try {
      for (const delivery of deliveries) {
        if (delivery.kind === 'undecodable') await dropUndecodable(delivery);
      }
      const handled = await Promise.allSettled(
        [...groupByEvent(deliveries)].map(([eventId, group]) => processEvent(eventId, group)),
      );
      const failed = handled.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    } catch (error) {
      await queue.giveBack(deliveries).catch((giveBackError: unknown) => {
        logger.error(
          { err: giveBackError },
          'Messages could not be given back; they were counted.',
        );
      });
      throw error;
    }
  };
}

export type ProcessMessages = ReturnType<typeof createProcessMessages>;

function groupByEvent(deliveries: readonly Delivery[]): Map<EventId, Message[]> {
  const groups = new Map<EventId, Message[]>();
  for (const delivery of deliveries) {
    if (delivery.kind !== 'participation') continue;
    const group = groups.get(delivery.eventId);
    if (group === undefined) groups.set(delivery.eventId, [delivery]);
    else group.push(delivery);
  }
  return groups;
}

function isOnItsWayToTheDeadLetters(outcome: Settled): boolean {
  const isOver = outcome.kind === 'settled' || outcome.kind === 'final';
  return isOver && outcome.progress.failure?.failureClass === 'RETRYABLE';
}

function reference({ requestId, eventId, receiveCount }: Message) {
  return { requestId, eventId, receiveCount };
}
