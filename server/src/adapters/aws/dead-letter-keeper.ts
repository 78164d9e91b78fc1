import { receivesExhausted } from '../../domain/receives-exhausted.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Message, Queue } from '../../ports/queue.ts';
import type { Requests } from '../../ports/requests.ts';
import type { Settlement } from '../../ports/settlement.ts';
import { type DynamoDeadLetters, deadLetterIdOf } from './dynamo-dead-letters.ts';

export interface DeadLetterKeeper {
  /** Looks into the dead-letter queue, unless it did so a moment ago. */
  keep(signal: AbortSignal): Promise<void>;
}

/**
 * SQS moves a message that was received too often into the dead-letter queue and tells nobody. Here
 * its request gets its end, if it has none, and the letter becomes an item that operators work on.
 */
export function createDeadLetterKeeper(
  deadLetterQueue: Queue,
  requests: Requests,
  settlement: Settlement,
  deadLetters: DynamoDeadLetters,
  clock: Clock,
  receivesMax: number,
): DeadLetterKeeper {
  let lookedAt = Number.NEGATIVE_INFINITY;

  const bury = async ({ eventId, requestId }: Message): Promise<void> => {
    const now = clock.now();
    await settlement.fail({ eventId, requestId }, 'FAILED_WORKER', receivesExhausted, now, now);
    const request = await requests.get(requestId);
    if (request?.failure?.failureClass !== 'RETRYABLE') return;
    const { userId, finishedAt, failure } = request;
    await deadLetters.record({
      messageId: deadLetterIdOf(request),
      requestId,
      eventId,
      userId,
      errorCode: failure.errorCode,
      errorMessage: failure.errorMessage,
      receiveCount: receivesMax,
      occurredAt: finishedAt ?? now,
    });
  };

  return {
    async keep(signal) {
      const now = clock.now();
      if (Math.abs(now - lookedAt) < lookIntervalMs) return;
      lookedAt = now;
      for (;;) {
        const dead = await deadLetterQueue.receive(lettersAtOnce, 0, signal);
        if (dead.length === 0) return;
        for (const letter of dead) if (letter.kind === 'participation') await bury(letter);
        await deadLetterQueue.acknowledge(dead);
      }
    },
  };
}

const lookIntervalMs = 1000;
const lettersAtOnce = 10;
