import type {
  AttributeDefinition,
  GlobalSecondaryIndexDescription,
  TableDescription,
  TimeToLiveDescription,
  TimeToLiveStatus,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { createTableInput, tableDifferences } from './table-shape.ts';

describe('the table’s shape', () => {
  test('is the data model’s', () => {
    const S = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
    const key = (partition: string, sort: string) => [
      { AttributeName: partition, KeyType: 'HASH' },
      { AttributeName: sort, KeyType: 'RANGE' },
    ];
    expect(createTableInput('Shaped')).toEqual({
      TableName: 'Shaped',
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'].map(S),
      KeySchema: key('PK', 'SK'),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'GSI1',
          KeySchema: key('GSI1PK', 'GSI1SK'),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
        {
          IndexName: 'GSI2',
          KeySchema: key('GSI2PK', 'GSI2SK'),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    });
  });

  test('accepts what is created', () => {
    expect(tableDifferences(table(), ttl('ENABLED'))).toEqual([]);
  });

  test.each(['DISABLED', 'ENABLED', 'ENABLING'] as const)(
    'accepts a time to live that is %s',
    (status) => {
      expect(tableDifferences(table(), ttl(status))).toEqual([]);
    },
  );

  test('accepts indexes that project everything, and further ones', () => {
    const indexes = table().GlobalSecondaryIndexes ?? [];
    const more = [...indexes, { IndexName: 'Reports' }].map((index) => ({
      ...index,
      Projection: { ProjectionType: 'ALL' as const },
    }));
    expect(tableDifferences({ ...table(), GlobalSecondaryIndexes: more }, undefined)).toEqual([]);
  });

  test.each<[string, Partial<TableDescription>, string]>([
    [
      'another key',
      { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] },
      'key is id (HASH, undefined); it must be PK (HASH, S), SK (RANGE, S)',
    ],
    [
      'a key of another type',
      { AttributeDefinitions: withTypeOf('SK', 'N') },
      'key is PK (HASH, S), SK (RANGE, N); it must be PK (HASH, S), SK (RANGE, S)',
    ],
    [
      'no second index',
      { GlobalSecondaryIndexes: table().GlobalSecondaryIndexes?.slice(0, 1) },
      'index GSI2 is missing; its key must be GSI2PK (HASH, S), GSI2SK (RANGE, S)',
    ],
    [
      'an index with another key',
      {
        GlobalSecondaryIndexes: withFirstIndex({
          KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
        }),
      },
      'key of index GSI1 is PK (HASH, S); it must be GSI1PK (HASH, S), GSI1SK (RANGE, S)',
    ],
    [
      'an index that projects some',
      { GlobalSecondaryIndexes: withFirstIndex({ Projection: { ProjectionType: 'INCLUDE' } }) },
      'projection of index GSI1 is INCLUDE; it must be KEYS_ONLY',
    ],
    [
      'an index that is going away',
      { GlobalSecondaryIndexes: withFirstIndex({ IndexStatus: 'DELETING' }) },
      'status of index GSI1 is DELETING; it must be ACTIVE',
    ],
    [
      'a local index',
      { LocalSecondaryIndexes: [{ IndexName: 'Local' }] },
      'local index Local must not exist',
    ],
    [
      'provisioned billing, which leaves no summary',
      { BillingModeSummary: undefined },
      'billing mode is PROVISIONED; it must be PAY_PER_REQUEST',
    ],
    [
      'provisioned billing after another',
      { BillingModeSummary: { BillingMode: 'PROVISIONED' } },
      'billing mode is PROVISIONED; it must be PAY_PER_REQUEST',
    ],
    [
      'a table that is going away',
      { TableStatus: 'DELETING' },
      'status is DELETING; it must be ACTIVE',
    ],
  ])('names %s', (_name, other, difference) => {
    expect(tableDifferences({ ...table(), ...other }, undefined)).toEqual([
      `table Shaped: ${difference}`,
    ]);
  });

  test('names a time to live on another attribute, and one that is being turned off', () => {
    expect(
      tableDifferences(table(), { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' }),
    ).toEqual(['table Shaped: time to live attribute is expires; it must be ttl']);
    expect(tableDifferences(table(), ttl('DISABLING'))).toEqual([
      expect.stringContaining('time to live is being turned off'),
    ]);
  });

  test('names everything at once', () => {
    expect(
      tableDifferences({ TableName: 'Shaped', TableStatus: 'ACTIVE' }, undefined),
    ).toHaveLength(4);
  });
});

/** What DescribeTable tells of a table that was created as the shape says. */
function table(): TableDescription {
  const input = createTableInput('Shaped');
  return {
    TableName: 'Shaped',
    TableStatus: 'ACTIVE',
    BillingModeSummary: { BillingMode: input.BillingMode },
    KeySchema: input.KeySchema,
    AttributeDefinitions: input.AttributeDefinitions,
    GlobalSecondaryIndexes: input.GlobalSecondaryIndexes?.map((index) => ({
      ...index,
      IndexStatus: 'ACTIVE',
    })),
  };
}

function withFirstIndex(
  other: GlobalSecondaryIndexDescription,
): GlobalSecondaryIndexDescription[] | undefined {
  return table().GlobalSecondaryIndexes?.map((index) =>
    index.IndexName === 'GSI1' ? { ...index, ...other } : index,
  );
}

function withTypeOf(name: string, type: 'N'): AttributeDefinition[] | undefined {
  return table().AttributeDefinitions?.map((definition) =>
    definition.AttributeName === name ? { ...definition, AttributeType: type } : definition,
  );
}

function ttl(status: TimeToLiveStatus): TimeToLiveDescription {
  return { TimeToLiveStatus: status, AttributeName: 'ttl' };
}
