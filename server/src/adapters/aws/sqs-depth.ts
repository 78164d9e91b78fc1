import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Clock } from '../../ports/clock.ts';
import type { QueueDepth } from '../../ports/queue.ts';
import { translated } from './aws-faults.ts';

type Counts = Pick<QueueDepth, 'waiting' | 'inFlight'>;

/** How full the queue is, asked at most once a second: metrics and callers all want to know. */
export function createSqsDepth(
  sqs: SQSClient,
  queueUrl: string,
  clock: Clock,
): () => Promise<Counts> {
  let asked: { readonly at: number; readonly counts: Promise<Counts> } | undefined;

  const ask = async (): Promise<Counts> => {
    const command = new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesDelayed',
        'ApproximateNumberOfMessagesNotVisible',
      ],
    });
    const { Attributes = {} } = await translated('SQS', sqs.send(command));
    const visible = Number(Attributes['ApproximateNumberOfMessages']);
    const delayed = Number(Attributes['ApproximateNumberOfMessagesDelayed']);
    const inFlight = Number(Attributes['ApproximateNumberOfMessagesNotVisible']);
    return { waiting: visible + delayed, inFlight };
  };

  return () => {
    const now = clock.now();
    if (asked !== undefined && now - asked.at < keptMs) return asked.counts;
    const counts = ask();
    asked = { at: now, counts };
    counts.catch(() => {
      asked = undefined;
    });
    return counts;
  };
}

const keptMs = 1000;
