import { describe, expect, test } from 'vitest';
import {
  deadLetterQueueAttributes,
  mainQueueAttributes,
  type QueueAttributes,
  queueDifferences,
} from './queue-shape.ts';

const options = {
  queue: 'main',
  deadLetterQueue: 'dead',
  visibilitySeconds: 30,
  receivesMax: 5,
};
const arnOf = (name: string): string => `arn:aws:sqs:ap-northeast-2:123456789012:${name}`;
const main: QueueAttributes = {
  QueueArn: arnOf('main'),
  ...mainQueueAttributes(options, arnOf('dead')),
};
const deadLetter: QueueAttributes = {
  QueueArn: arnOf('dead'),
  ...deadLetterQueueAttributes(options),
};

describe('the queues’ shape', () => {
  test.each([
    ['both', { main, deadLetter }],
    ['the main queue alone', { main, deadLetter: undefined }],
    ['the dead-letter queue alone', { main: undefined, deadLetter }],
    ['neither', { main: undefined, deadLetter: undefined }],
  ])('is what is created: %s', (_name, queues) => {
    expect(queueDifferences(queues, options)).toEqual([]);
  });

  test('accepts what decides nothing', () => {
    const other = { ...main, ReceiveMessageWaitTimeSeconds: '0', KmsMasterKeyId: 'alias/own' };
    const patient = { ...deadLetter, VisibilityTimeout: '600' };
    expect(queueDifferences({ main: other, deadLetter: patient }, options)).toEqual([]);
  });

  test('accepts a number of receives that was given as text', () => {
    const RedrivePolicy = JSON.stringify({
      maxReceiveCount: '5',
      deadLetterTargetArn: arnOf('dead'),
    });
    expect(queueDifferences({ main: { ...main, RedrivePolicy }, deadLetter }, options)).toEqual([]);
  });

  test.each<[string, QueueAttributes, string]>([
    ['a visibility timeout', { VisibilityTimeout: '45' }, 'VisibilityTimeout is 45; it must be 30'],
    [
      'no redrive policy',
      { RedrivePolicy: '' },
      `RedrivePolicy is none; it must be 5 receives, then ${arnOf('dead')}`,
    ],
    [
      'a number of receives',
      mainQueueAttributes({ ...options, receivesMax: 3 }, arnOf('dead')),
      `RedrivePolicy is 3 receives, then ${arnOf('dead')}; it must be 5 receives, then ${arnOf('dead')}`,
    ],
    [
      'a dead-letter queue',
      mainQueueAttributes(options, arnOf('else')),
      `RedrivePolicy is 5 receives, then ${arnOf('else')}; it must be 5 receives, then ${arnOf('dead')}`,
    ],
    ['an order', { FifoQueue: 'true' }, 'is a FIFO queue; it must be a standard one'],
  ])('names another main queue: %s', (_name, other, difference) => {
    expect(queueDifferences({ main: { ...main, ...other }, deadLetter }, options)).toEqual([
      `queue main: ${difference}`,
    ]);
  });

  test.each<[string, QueueAttributes, string]>([
    [
      'it passes messages on',
      { RedrivePolicy: main.RedrivePolicy ?? '' },
      `RedrivePolicy is 5 receives, then ${arnOf('dead')}; it must be none`,
    ],
    ['an order', { FifoQueue: 'true' }, 'is a FIFO queue; it must be a standard one'],
    [
      'it forgets first',
      { MessageRetentionPeriod: '345600' },
      'MessageRetentionPeriod is 345600; it must be longer than the 345600 of main',
    ],
  ])('names another dead-letter queue: %s', (_name, other, difference) => {
    const queues = { main, deadLetter: { ...deadLetter, ...other } };
    expect(queueDifferences(queues, options)).toEqual([`queue dead: ${difference}`]);
  });

  test('a missing queue is compared as it would be created', () => {
    const long = { ...main, MessageRetentionPeriod: '1209600' };
    expect(queueDifferences({ main: long, deadLetter: undefined }, options)).toHaveLength(1);
    const short = { ...deadLetter, MessageRetentionPeriod: '345600' };
    expect(queueDifferences({ main: undefined, deadLetter: short }, options)).toHaveLength(1);
  });
});
