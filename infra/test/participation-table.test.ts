import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { exampleKeyArn, synthesise } from './synthesise.ts';

const tableType = 'AWS::DynamoDB::GlobalTable';

describe('the participation table', () => {
  test('is one table, named by the seeds unless a parameter names it', () => {
    synthesise().resourceCountIs(tableType, 1);
    synthesise().hasResourceProperties(tableType, { TableName: 'AsyncEventTable' });
    synthesise({ tableName: 'Staging.Table' }).hasResourceProperties(tableType, {
      TableName: 'Staging.Table',
    });
  });

  test('is paid by the request', () => {
    synthesise().hasResourceProperties(tableType, { BillingMode: 'PAY_PER_REQUEST' });
  });

  test('has the keys PK and SK, and no key that is not a string', () => {
    synthesise().hasResourceProperties(tableType, {
      KeySchema: keySchema('PK', 'SK'),
      AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK', 'GSI2SK'].map(
        (AttributeName) => ({ AttributeName, AttributeType: 'S' }),
      ),
    });
  });

  test('has exactly the indexes GSI1 and GSI2, with keys only', () => {
    synthesise().hasResourceProperties(tableType, {
      GlobalSecondaryIndexes: ['GSI1', 'GSI2'].map((IndexName) => ({
        IndexName,
        KeySchema: keySchema(`${IndexName}PK`, `${IndexName}SK`),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
    });
  });

  test('projects all attributes when asked to', () => {
    const all = Match.objectLike({ Projection: { ProjectionType: 'ALL' } });
    synthesise({ indexProjection: 'ALL' }).hasResourceProperties(tableType, {
      GlobalSecondaryIndexes: [all, all],
    });
  });

  test('lets items expire by the attribute ttl', () => {
    synthesise().hasResourceProperties(tableType, {
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  });

  test('is encrypted with the key that AWS manages for the account', () => {
    synthesise().hasResourceProperties(tableType, {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [Match.objectLike({ SSESpecification: Match.absent() })],
    });
  });

  test('is encrypted with the operator’s key when one is given, in its region', () => {
    synthesise({ tableKeyArn: exampleKeyArn }).hasResourceProperties(tableType, {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [
        Match.objectLike({
          Region: 'ap-northeast-2',
          SSESpecification: { KMSMasterKeyId: exampleKeyArn },
        }),
      ],
    });
  });

  test('can be recovered to a point in time', () => {
    synthesise().hasResourceProperties(tableType, {
      Replicas: [
        Match.objectLike({
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      ],
    });
  });

  test('cannot be deleted by mistake, and outlives its stack', () => {
    synthesise().hasResource(tableType, {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { Replicas: [Match.objectLike({ DeletionProtectionEnabled: true })] },
    });
  });

  test('has no stream', () => {
    synthesise().hasResourceProperties(tableType, { StreamSpecification: Match.absent() });
  });

  test('is not warmed unless asked', () => {
    expect(JSON.stringify(synthesise().findResources(tableType))).not.toContain('WarmThroughput');
  });

  test('is warmed together with both indexes', () => {
    const index = Match.objectLike({
      WarmThroughput: { ReadUnitsPerSecond: 15_000, WriteUnitsPerSecond: 8_000 },
    });
    const template = synthesise({
      tableWarmReadUnits: '20000',
      tableWarmWriteUnits: 40_000,
      indexWarmReadUnits: '15000',
      indexWarmWriteUnits: 8_000,
    });
    template.hasResourceProperties(tableType, {
      WarmThroughput: { ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 40_000 },
      GlobalSecondaryIndexes: [index, index],
    });
  });
});

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ];
}
