import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
  type WarmThroughput,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

export interface ParticipationTableOptions {
  readonly tableName: string;
  readonly indexProjection: 'KEYS_ONLY' | 'ALL';
  /** A customer-managed key; without it the account's own key for DynamoDB, which AWS manages. */
  readonly tableKeyArn: string | undefined;
  readonly warmThroughputs: WarmThroughputs | undefined;
}

export interface WarmThroughputs {
  readonly table: WarmThroughput;
  /** Of each index: both are written once for every request. */
  readonly index: WarmThroughput;
}

/** GSI1: my participations. GSI2: an event's requests. Both in queue order. */
export const indexNames = ['GSI1', 'GSI2'] as const;

/** The one table: requests, locks, capacities, events and what else the server keeps. */
export function createParticipationTable(
  scope: Construct,
  options: ParticipationTableOptions,
): TableV2 {
  const { warmThroughputs } = options;
  return new TableV2(scope, 'ParticipationTable', {
    tableName: options.tableName,
    partitionKey: stringAttribute('PK'),
    sortKey: stringAttribute('SK'),
    globalSecondaryIndexes: indexNames.map((indexName) => ({
      indexName,
      partitionKey: stringAttribute(`${indexName}PK`),
      sortKey: stringAttribute(`${indexName}SK`),
      projectionType: ProjectionType[options.indexProjection],
      ...(warmThroughputs && { warmThroughput: warmThroughputs.index }),
    })),
    billing: Billing.onDemand(),
    ...(warmThroughputs && { warmThroughput: warmThroughputs.table }),
    timeToLiveAttribute: 'ttl',
    encryption: encryptionOf(scope, options.tableKeyArn),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
}

function stringAttribute(name: string) {
  return { name, type: AttributeType.STRING };
}

function encryptionOf(scope: Construct, keyArn: string | undefined): TableEncryptionV2 {
  if (keyArn === undefined) return TableEncryptionV2.awsManagedKey();
  return TableEncryptionV2.customerManagedKey(Key.fromKeyArn(scope, 'TableKey', keyArn));
}
