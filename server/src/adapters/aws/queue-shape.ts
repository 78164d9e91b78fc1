import type { QueueAttributeName } from '@aws-sdk/client-sqs';

export interface QueueOptions {
  readonly queue: string;
  readonly deadLetterQueue: string;
  readonly visibilitySeconds: number;
  readonly receivesMax: number;
}

export type QueueAttributes = Partial<Record<QueueAttributeName, string>>;

/** Both may be missing; what is missing is created as it must be. */
export interface ExistingQueues {
  readonly main: QueueAttributes | undefined;
  readonly deadLetter: QueueAttributes | undefined;
}

export function mainQueueAttributes(
  options: QueueOptions,
  deadLetterQueueArn: string,
): QueueAttributes {
  return {
    ...commonAttributes(options),
    MessageRetentionPeriod: String(mainRetentionSeconds),
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: deadLetterQueueArn,
      maxReceiveCount: options.receivesMax,
    }),
  };
}

export function deadLetterQueueAttributes(options: QueueOptions): QueueAttributes {
  return {
    ...commonAttributes(options),
    MessageRetentionPeriod: String(deadLetterRetentionSeconds),
  };
}

/** What about existing queues must be otherwise; only what decides how messages fare. */
export function queueDifferences(
  { main, deadLetter }: ExistingQueues,
  options: QueueOptions,
): string[] {
  return [
    ...(deadLetter === undefined ? [] : deadLetterDifferences(deadLetter)).map(
      (difference) => `queue ${options.deadLetterQueue}: ${difference}`,
    ),
    ...(main === undefined ? [] : mainDifferences(main, options)).map(
      (difference) => `queue ${options.queue}: ${difference}`,
    ),
    ...retentionDifferences(main, deadLetter, options),
  ];
}

function commonAttributes({ visibilitySeconds }: QueueOptions): QueueAttributes {
  return {
    ReceiveMessageWaitTimeSeconds: String(waitSeconds),
    VisibilityTimeout: String(visibilitySeconds),
  };
}

function mainDifferences(main: QueueAttributes, options: QueueOptions): string[] {
  const { visibilitySeconds, receivesMax } = options;
  const visibility = Number(main.VisibilityTimeout);
  const target = arnBeside(main.QueueArn, options.deadLetterQueue);
  const is = redriveText(main.RedrivePolicy);
  const must = redriveText({ deadLetterTargetArn: target, maxReceiveCount: receivesMax });
  return [
    ...fifoDifferences(main),
    ...(visibility === visibilitySeconds
      ? []
      : [`VisibilityTimeout is ${visibility}; it must be ${visibilitySeconds}`]),
    ...(is === must ? [] : [`RedrivePolicy is ${is}; it must be ${must}`]),
  ];
}

function deadLetterDifferences(deadLetter: QueueAttributes): string[] {
  const redrive = redriveText(deadLetter.RedrivePolicy);
  return [
    ...fifoDifferences(deadLetter),
    ...(redrive === noRedrive ? [] : [`RedrivePolicy is ${redrive}; it must be ${noRedrive}`]),
  ];
}

function fifoDifferences({ FifoQueue: isFifo }: QueueAttributes): string[] {
  return isFifo === 'true' ? ['is a FIFO queue; it must be a standard one'] : [];
}

/** A dead letter's age counts from its first sending: it would be gone before anybody saw it. */
function retentionDifferences(
  main: QueueAttributes | undefined,
  deadLetter: QueueAttributes | undefined,
  { queue, deadLetterQueue }: QueueOptions,
): string[] {
  const mainSeconds = Number(main?.MessageRetentionPeriod ?? mainRetentionSeconds);
  const deadLetterSeconds = Number(
    deadLetter?.MessageRetentionPeriod ?? deadLetterRetentionSeconds,
  );
  if (deadLetterSeconds > mainSeconds) return [];
  return [
    `queue ${deadLetterQueue}: MessageRetentionPeriod is ${deadLetterSeconds}; it must be longer than the ${mainSeconds} of ${queue}`,
  ];
}

interface RedrivePolicy {
  readonly deadLetterTargetArn?: string;
  readonly maxReceiveCount?: number | string;
}

function redriveText(policy: string | RedrivePolicy | undefined): string {
  if (policy === undefined || policy === '') return noRedrive;
  const { deadLetterTargetArn, maxReceiveCount }: RedrivePolicy =
    typeof policy === 'string' ? JSON.parse(policy) : policy;
  return `${maxReceiveCount} receives, then ${deadLetterTargetArn}`;
}

/** A dead-letter queue is always of its queue's account and region. */
function arnBeside(arn: string | undefined, name: string): string {
  return [...(arn ?? '').split(':').slice(0, -1), name].join(':');
}

const daySeconds = 86_400;
const mainRetentionSeconds = 4 * daySeconds;
/** The longest that SQS offers. */
const deadLetterRetentionSeconds = 14 * daySeconds;
/** The longest poll that SQS offers: an idle worker makes the fewest calls. */
const waitSeconds = 20;
const noRedrive = 'none';
