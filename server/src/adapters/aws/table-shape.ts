import type {
  CreateTableCommandInput,
  KeySchemaElement,
  TableDescription,
  TimeToLiveDescription,
} from '@aws-sdk/client-dynamodb';

/** The one place that says what the table is like. */
export const tableShape = {
  key: ['PK', 'SK'],
  indexes: { GSI1: ['GSI1PK', 'GSI1SK'], GSI2: ['GSI2PK', 'GSI2SK'] },
  ttlAttribute: 'ttl',
} as const;

export function createTableInput(tableName: string): CreateTableCommandInput {
  const indexes = Object.entries(tableShape.indexes);
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    DeletionProtectionEnabled: true,
    AttributeDefinitions: [tableShape.key, ...Object.values(tableShape.indexes)]
      .flat()
      .map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: keySchema(tableShape.key),
    GlobalSecondaryIndexes: indexes.map(([name, key]) => ({
      IndexName: name,
      KeySchema: keySchema(key),
      // An entry of an index is then one write unit, not three: a hot event takes three times as many.
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })),
  };
}

/**
 * What about an existing table must be otherwise. Further global indexes, a projection of ALL and
 * a time to live that is off are none of it: nothing depends on the first two, the last is mended.
 */
export function tableDifferences(
  table: TableDescription,
  ttl: TimeToLiveDescription | undefined,
): string[] {
  const differences = [
    ...unlessSame('status', table.TableStatus, 'ACTIVE'),
    ...unlessSame('key', keyOf(table, table.KeySchema), expectedKey(tableShape.key)),
    ...Object.entries(tableShape.indexes).flatMap(([name, key]) =>
      indexDifferences(table, name, key),
    ),
    ...localIndexDifferences(table),
    // A table that was always provisioned has no summary.
    ...unlessSame(
      'billing mode',
      table.BillingModeSummary?.BillingMode ?? 'PROVISIONED',
      'PAY_PER_REQUEST',
    ),
    ...ttlDifferences(ttl),
  ];
  return differences.map((difference) => `table ${table.TableName}: ${difference}`);
}

export function isTtlOn(ttl: TimeToLiveDescription | undefined): boolean {
  return ttl?.TimeToLiveStatus === 'ENABLED' || ttl?.TimeToLiveStatus === 'ENABLING';
}

type Key = readonly [partition: string, sort: string];

function keySchema([partition, sort]: Key): KeySchemaElement[] {
  return [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ];
}

function indexDifferences(table: TableDescription, name: string, key: Key): string[] {
  const index = table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === name);
  if (index === undefined) return [`index ${name} is missing; its key must be ${expectedKey(key)}`];
  const projection = index.Projection?.ProjectionType;
  return [
    ...unlessSame(`status of index ${name}`, index.IndexStatus, 'ACTIVE'),
    ...unlessSame(`key of index ${name}`, keyOf(table, index.KeySchema), expectedKey(key)),
    ...(projection === 'ALL'
      ? []
      : unlessSame(`projection of index ${name}`, projection, 'KEYS_ONLY')),
  ];
}

/** They would end a partition at 10 GB. */
function localIndexDifferences({ LocalSecondaryIndexes: indexes = [] }: TableDescription) {
  return indexes.map(({ IndexName }) => `local index ${IndexName} must not exist`);
}

function ttlDifferences(ttl: TimeToLiveDescription | undefined): string[] {
  if (ttl?.TimeToLiveStatus === 'DISABLING') {
    return ['time to live is being turned off; it can be turned on an hour later'];
  }
  return isTtlOn(ttl)
    ? unlessSame('time to live attribute', ttl?.AttributeName, tableShape.ttlAttribute)
    : [];
}

function keyOf(table: TableDescription, schema: readonly KeySchemaElement[] = []): string {
  const elements = schema.map(({ AttributeName: name, KeyType }) => {
    const definition = table.AttributeDefinitions?.find((one) => one.AttributeName === name);
    return `${name} (${KeyType}, ${definition?.AttributeType})`;
  });
  return elements.join(', ');
}

function expectedKey([partition, sort]: Key): string {
  return `${partition} (HASH, S), ${sort} (RANGE, S)`;
}

function unlessSame(what: string, is: string | undefined, must: string): string[] {
  return is === must ? [] : [`${what} is ${is}; it must be ${must}`];
}
