import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { longestHandlingSeconds } from '../src/message-queues.ts';
import { synthesise } from './synthesise.ts';

const main = 'fairline-main';
const deadLetters = 'fairline-dlq';

describe('the queues', () => {
  test('are a main queue and a dead-letter queue, named by parameters', () => {
    const template = synthesise({ queueName: 'one', deadLetterQueueName: 'two' });
    expect(queueNames(synthesise())).toEqual([deadLetters, main]);
    expect(queueNames(template)).toEqual(['one', 'two']);
  });

  test('are standard queues', () => {
    for (const name of [main, deadLetters]) {
      expect(propertiesOf(synthesise(), name)).not.toHaveProperty('FifoQueue');
    }
  });

  test('are polled long, 20 seconds at a time', () => {
    for (const name of [main, deadLetters]) {
      expect(propertiesOf(synthesise(), name)).toHaveProperty('ReceiveMessageWaitTimeSeconds', 20);
    }
  });

  test('hide a message for longer than its handling takes', () => {
    for (const name of [main, deadLetters]) {
      const { VisibilityTimeout } = propertiesOf(synthesise(), name);
      expect(VisibilityTimeout).toBe(30);
      expect(VisibilityTimeout).toBeGreaterThan(longestHandlingSeconds);
      const asked = propertiesOf(synthesise({ visibilitySeconds: '90' }), name);
      expect(asked).toHaveProperty('VisibilityTimeout', 90);
    }
  });

  test('give a message up after five receives, or as often as the parameter says', () => {
    for (const [template, maxReceiveCount] of [
      [synthesise(), 5],
      [synthesise({ maxReceiveCount: '3' }), 3],
    ] as const) {
      expect(propertiesOf(template, main)).toHaveProperty('RedrivePolicy', {
        deadLetterTargetArn: { 'Fn::GetAtt': [logicalIdOf(template, deadLetters), 'Arn'] },
        maxReceiveCount,
      });
    }
  });

  test('take dead letters from the main queue only', () => {
    const { redrivePermission, sourceQueueArns } = propertiesOf(
      synthesise({ queueName: 'renamed' }),
      deadLetters,
    ).RedriveAllowPolicy;
    expect(redrivePermission).toBe('byQueue');
    expect(sourceQueueArns).toHaveLength(1);
    expect(sourceQueueArns[0]['Fn::Join'][1].at(-1)).toBe(':renamed');
  });

  test('keep dead letters longer than messages, since both are counted from the first send', () => {
    const template = synthesise();
    const daysKept = (name: string) => propertiesOf(template, name).MessageRetentionPeriod / 86_400;
    expect(daysKept(main)).toBe(4);
    expect(daysKept(deadLetters)).toBe(14);
  });

  test('are encrypted at rest', () => {
    for (const name of [main, deadLetters]) {
      expect(propertiesOf(synthesise(), name)).toHaveProperty('SqsManagedSseEnabled', true);
    }
  });

  test('refuse everything that does not come over TLS', () => {
    const template = synthesise();
    for (const name of [main, deadLetters]) {
      const queueId = logicalIdOf(template, name);
      template.hasResourceProperties('AWS::SQS::QueuePolicy', {
        Queues: [{ Ref: queueId }],
        PolicyDocument: Match.objectLike({
          Statement: [
            {
              Effect: 'Deny',
              Principal: { AWS: '*' },
              Action: 'sqs:*',
              Resource: { 'Fn::GetAtt': [queueId, 'Arn'] },
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            },
          ],
        }),
      });
    }
  });

  test('outlive their stack with the messages in them', () => {
    for (const queue of Object.values(synthesise().findResources(queueType))) {
      expect(queue).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });
});

const queueType = 'AWS::SQS::Queue';

function queueNames(template: Template): string[] {
  return Object.values(template.findResources(queueType))
    .map((queue) => queue['Properties'].QueueName)
    .sort();
}

function logicalIdOf(template: Template, queueName: string): string {
  const [id] = Object.keys(
    template.findResources(queueType, { Properties: { QueueName: queueName } }),
  );
  if (id === undefined) throw new Error(`There is no queue ${queueName}.`);
  return id;
}

function propertiesOf(template: Template, queueName: string) {
  return template.findResources(queueType)[logicalIdOf(template, queueName)]?.['Properties'];
}
