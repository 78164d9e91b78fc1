import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Logger } from '../../ports/logger.ts';
import type { Delivery } from '../../ports/queue.ts';
import { translated } from './aws-faults.ts';
import { deliveryAttributes, deliveryOf } from './sqs-delivery.ts';

export interface SqsPolls {
  /** Receives once. Answers nothing as soon as the signal aborts. */
  poll(count: number, waitSeconds: number, signal: AbortSignal): Promise<readonly Delivery[]>;
  /** Resolves when every poll that was left has ended and what it brought is given back. */
  drained(): Promise<void>;
}

/**
 * A poll that is called off is left, not cut: SQS does not notice a closed connection, would hand
 * the next messages to it and hide them until their visibility timeout.
 */
export function createSqsPolls(
  sqs: SQSClient,
  queueUrl: string,
  visibilitySeconds: number,
  hold: (deliveries: readonly Delivery[]) => void,
  giveBack: (deliveries: readonly Delivery[]) => Promise<void>,
  logger: Logger,
): SqsPolls {
  const left = new Set<Promise<void>>();

  const receive = async (count: number, waitSeconds: number): Promise<readonly Delivery[]> => {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: count,
      WaitTimeSeconds: waitSeconds,
      VisibilityTimeout: visibilitySeconds,
      MessageSystemAttributeNames: deliveryAttributes,
    });
    const { Messages = [] } = await translated('SQS', sqs.send(command));
    const deliveries = Messages.map(deliveryOf);
    hold(deliveries);
    return deliveries;
  };

  const leave = (polled: Promise<readonly Delivery[]>): void => {
    const ended = polled
      .then(giveBack)
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'A poll that was called off may have left messages hidden.');
      })
      .finally(() => left.delete(ended));
    left.add(ended);
  };

  return {
    async poll(count, waitSeconds, signal) {
      const polled = receive(count, waitSeconds);
      const deliveries = await unlessAborted(polled, signal);
      if (deliveries === undefined) leave(polled);
      return deliveries ?? [];
    },
    async drained() {
      await Promise.all(left);
    },
  };
}

/** The promise's value, or undefined as soon as the signal aborts. */
function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve(undefined);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
