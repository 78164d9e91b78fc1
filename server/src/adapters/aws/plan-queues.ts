import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Timers } from '../../ports/timers.ts';
import { translated } from './aws-faults.ts';
import { asPlanned, type Plan, type Step } from './provision-plan.ts';
import {
  deadLetterQueueAttributes,
  mainQueueAttributes,
  type QueueAttributes,
  type QueueOptions,
  queueDifferences,
} from './queue-shape.ts';
import { tolerate } from './tolerate.ts';
import { waitFor } from './wait-for.ts';

/** The dead-letter queue first: the main one names it. */
export async function planQueues(
  sqs: SQSClient,
  timers: Timers,
  options: QueueOptions,
): Promise<Plan> {
  const { queue, deadLetterQueue } = options;
  const main = await findQueue(sqs, queue);
  const deadLetter = await findQueue(sqs, deadLetterQueue);
  /** A queue that was just made may not be known everywhere for a second. */
  const settled = (name: string): Promise<QueueAttributes> =>
    waitFor(timers, `The queue ${name}`, () => findQueue(sqs, name));

  const createDeadLetterQueue = async (): Promise<Partial<Step>> => {
    await createQueue(sqs, deadLetterQueue, deadLetterQueueAttributes(options));
    return encryptionOf(await settled(deadLetterQueue));
  };
  const createMainQueue = async (): Promise<Partial<Step>> => {
    const { QueueArn: arn = '' } = await settled(deadLetterQueue);
    await createQueue(sqs, queue, mainQueueAttributes(options, arn));
    return encryptionOf(await settled(queue));
  };

  return {
    differences: queueDifferences({ main, deadLetter }, options),
    steps: [
      deadLetter === undefined
        ? { resource: `queue ${deadLetterQueue}`, outcome: 'created', act: createDeadLetterQueue }
        : { resource: `queue ${deadLetterQueue}`, outcome: 'unchanged' },
      main === undefined
        ? { resource: `queue ${queue}`, outcome: 'created', act: createMainQueue }
        : { resource: `queue ${queue}`, outcome: 'unchanged' },
    ],
  };
}

async function findQueue(sqs: SQSClient, name: string): Promise<QueueAttributes | undefined> {
  const find = async (): Promise<QueueAttributes> => {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
    const all = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    return (await sqs.send(all)).Attributes ?? {};
  };
  return translated('SQS', tolerate(find(), /QueueDoesNotExist|NonExistentQueue/, undefined));
}

/**
 * Encrypted by SQS's own key; an endpoint that does not take that gets the queue without. SQS
 * itself refuses when another run has just made a queue of this name with other attributes.
 */
async function createQueue(
  sqs: SQSClient,
  name: string,
  attributes: QueueAttributes,
): Promise<void> {
  const create = (Attributes: QueueAttributes) =>
    sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }));
  const encrypted = create({ ...attributes, SqsManagedSseEnabled: 'true' });
  const made = await translated('SQS', tolerate(encrypted, /InvalidAttribute/, undefined));
  if (made === undefined) await translated('SQS', create(attributes));
}

function encryptionOf({ SqsManagedSseEnabled: isEncrypted }: QueueAttributes): Partial<Step> {
  return isEncrypted === 'true'
    ? asPlanned
    : { detail: 'encryption at rest is not supported by this endpoint' };
}
