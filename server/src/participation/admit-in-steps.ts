import type { Event } from '../domain/event.ts';
import type { RequestId } from '../domain/ids.ts';
import type { Failure } from '../domain/request.ts';
import type { Admission } from '../ports/admission.ts';
import type { AdmissionSteps, Entrant } from '../ports/admission-steps.ts';
import type { Clock } from '../ports/clock.ts';
import type { RequestIds } from '../ports/ids.ts';
import type { Locks } from '../ports/locks.ts';
import type { Logger } from '../ports/logger.ts';
import type { MessageSender } from '../ports/message-sender.ts';
import type { Requests } from '../ports/requests.ts';
import type { Timers } from '../ports/timers.ts';

export interface StepPorts {
  readonly locks: Locks;
  readonly requests: Pick<Requests, 'get'>;
  readonly steps: AdmissionSteps;
  readonly sender: MessageSender;
  readonly requestIds: RequestIds;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/**
 * Lock, RECEIVED, enqueue, QUEUED, answer: always in this order, each step conditional, so that a
 * crash between any two leaves something that the next press carries on with the same request.
 */
export function createAdmitInSteps(ports: StepPorts): Admission {
  const { locks, requests, steps, sender, requestIds, clock, timers, logger } = ports;

  const enqueue = async (event: Event, entrant: Entrant): Promise<void> => {
    const { eventId } = event;
    const { requestId } = entrant;
    try {
      await sender.send({ eventId, requestId, redriven: false });
    } catch (error) {
      logger.error({ err: error, requestId }, 'A request could not be enqueued.');
      return steps.failEnqueue(event, entrant, enqueueFailure, clock.now());
    }
    await steps.markQueued(event, entrant, clock.now).catch((error: unknown) => {
      logger.warn({ err: error, requestId }, 'QUEUED was not written; the worker will.');
    });
  };

  /** Whoever holds the lock may be at work right now, or dead: it is given a moment. */
  const isUnderWay = async (requestId: RequestId): Promise<boolean> => {
    for (let look = 1; ; look += 1) {
      const request = await requests.get(requestId);
      if (request !== undefined && request.status !== 'RECEIVED') return true;
      if (look === looksMax) return false;
      await timers.sleep(lookAgainMs);
    }
  };

  const carryOn = async (event: Event, entrant: Entrant): Promise<void> => {
    if (await isUnderWay(entrant.requestId)) return;
    await steps.receive(event, entrant);
    await enqueue(event, entrant);
  };

  return {
    async admit(event, userId, requestedAt) {
      const { requestId } = requestIds.next();
      const holder = await locks.take(event, userId, requestId, requestedAt);
      const entrant = { requestId: holder, userId, requestedAt };
      if (holder !== requestId) {
        await carryOn(event, entrant);
        return { kind: 'duplicate', requestId: holder };
      }
      await steps.receive(event, entrant);
      await enqueue(event, entrant);
      return { kind: 'accepted', requestId };
    },

    async find(event, userId) {
      const requestId = await locks.find(event.eventId, userId);
      const request = requestId === undefined ? undefined : await requests.get(requestId);
      if (request?.status === 'RECEIVED') {
        await carryOn(event, {
          requestId: request.requestId,
          userId,
          requestedAt: request.requestedAt,
        });
      }
      return request?.requestId;
    },
  };
}

const enqueueFailure: Failure = {
  failureClass: 'RETRYABLE',
  errorCode: 'FAILED_INGEST_ENQUEUE',
  errorMessage: 'The queue did not take the message.',
};
const looksMax = 3;
const lookAgainMs = 50;
