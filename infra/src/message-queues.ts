import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export interface MessageQueuesOptions {
  readonly queueName: string;
  readonly deadLetterQueueName: string;
  readonly visibilitySeconds: number;
  readonly maxReceiveCount: number;
}

export interface MessageQueues {
  readonly main: Queue;
  readonly deadLetters: Queue;
}

/**
 * The longest that a worker handles what it received, retries of its calls included. A message that
 * became visible before then would be handled twice at once, and count as received once more.
 */
export const longestHandlingSeconds = 20;

export function createMessageQueues(
  scope: Construct,
  options: MessageQueuesOptions,
): MessageQueues {
  const common = {
    visibilityTimeout: Duration.seconds(options.visibilitySeconds),
    receiveMessageWaitTime: Duration.seconds(20),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    // Messages are people's accepted requests: they outlive the stack, as the table does.
    removalPolicy: RemovalPolicy.RETAIN,
  };
  const deadLetters = new Queue(scope, 'DeadLetterQueue', {
    ...common,
    queueName: options.deadLetterQueueName,
    // Longer than the main queue's: it counts from the first send, not from when a letter came.
    retentionPeriod: Duration.days(14),
    redriveAllowPolicy: {
      redrivePermission: RedrivePermission.BY_QUEUE,
      sourceQueues: [mainQueueByName(scope, options.queueName)],
    },
  });
  const main = new Queue(scope, 'MainQueue', {
    ...common,
    queueName: options.queueName,
    retentionPeriod: Duration.days(4),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: options.maxReceiveCount },
  });
  return { main, deadLetters };
}

/** By name: the main queue refers to the dead-letter queue, a reference back would be a circle. */
function mainQueueByName(scope: Construct, queueName: string) {
  const arn = Stack.of(scope).formatArn({ service: 'sqs', resource: queueName });
  return Queue.fromQueueArn(scope, 'MainQueueByName', arn);
}
