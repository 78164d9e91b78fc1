import { describe, expect, test } from 'vitest';
import { longestHandlingSeconds } from '../src/message-queues.ts';
import { readParameters } from '../src/parameters.ts';
import { exampleKeyArn, prefixed } from './synthesise.ts';

describe('parameters', () => {
  test('have defaults that need no operator', () => {
    expect(readParameters({})).toEqual({
      stackName: 'FairlineDataPlane',
      tableName: 'AsyncEventTable',
      tableKeyArn: undefined,
      indexProjection: 'KEYS_ONLY',
      warmThroughputs: undefined,
      queueName: 'fairline-main',
      deadLetterQueueName: 'fairline-dlq',
      visibilitySeconds: 30,
      maxReceiveCount: 5,
    });
  });

  test.each([
    ['stackName', 'under_score'],
    ['tableName', 'no'],
    ['tableName', 'with space'],
    ['tableName', ''],
    ['tableName', { nested: true }],
    ['tableKeyArn', 'alias/fairline'],
    ['tableKeyArn', exampleKeyArn.replace(/key\/.*/, 'alias/fairline')],
    ['indexProjection', 'INCLUDE'],
    ['queueName', 'main.fifo'],
    ['deadLetterQueueName', 'x'.repeat(81)],
    ['visibilitySeconds', longestHandlingSeconds],
    ['visibilitySeconds', '43201'],
    ['visibilitySeconds', '30s'],
    ['visibilitySeconds', 30.5],
    ['maxReceiveCount', 2],
    ['maxReceiveCount', 6],
  ])('name the bad one: %s is never %j', (name, value) => {
    expect(() => readParameters(prefixed({ [name]: value }))).toThrow(
      new RegExp(`^The parameters are not valid:\n {2}fairline:${name}: must .*, not .*$`),
    );
  });

  test('take the shortest visibility timeout that exceeds the longest handling time', () => {
    const visibilitySeconds = longestHandlingSeconds + 1;
    expect(readParameters(prefixed({ visibilitySeconds }))).toMatchObject({ visibilitySeconds });
  });

  test('never make one queue its own dead-letter queue', () => {
    expect(() => readParameters(prefixed({ queueName: 'fairline-dlq' }))).toThrow(
      'fairline:deadLetterQueueName: must differ from queueName',
    );
  });

  test('warm table and indexes together or not at all', () => {
    const warm = {
      tableWarmReadUnits: 12_000,
      tableWarmWriteUnits: 4_000,
      indexWarmReadUnits: 12_000,
      indexWarmWriteUnits: 4_000,
    };
    expect(readParameters(prefixed(warm)).warmThroughputs).toBeDefined();
    for (const name of Object.keys(warm)) {
      const others = Object.entries(warm).filter(([other]) => other !== name);
      expect(() => readParameters(prefixed(Object.fromEntries(others)))).toThrow(
        `fairline:${name}: must be given with the other warm units`,
      );
      expect(() => readParameters(prefixed({ ...warm, [name]: 3_999 }))).toThrow(
        `fairline:${name}: must be a whole number of at least`,
      );
    }
  });

  test('are refused when misspelt', () => {
    expect(() => readParameters(prefixed({ visibilitySecond: 60 }))).toThrow(
      'fairline:visibilitySecond: is not a parameter',
    );
  });

  test('share the context with others', () => {
    expect(() => readParameters({ tableName: '', '@aws-cdk/core:flag': true })).not.toThrow();
  });

  test('are told all at once when several are bad', () => {
    const bad = { tableName: 'x', maxReceiveCount: 0, typo: 1 };
    const read = () => readParameters(prefixed(bad));
    for (const name of Object.keys(bad)) expect(read).toThrow(`fairline:${name}: `);
  });
});
