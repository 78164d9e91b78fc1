import {
  CreateTableCommand,
  DescribeContinuousBackupsCommand,
  type DescribeContinuousBackupsCommandOutput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type TableDescription,
  type TimeToLiveDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Timers } from '../../ports/timers.ts';
import { translated } from './aws-faults.ts';
import { createTableInput, tableShape } from './table-shape.ts';
import { tolerate } from './tolerate.ts';
import { waitFor } from './wait-for.ts';

export interface TableControl {
  find(): Promise<TableDescription | undefined>;
  /** The table, once neither it nor an index of it is being made or changed. */
  settled(): Promise<TableDescription>;
  readTtl(): Promise<TimeToLiveDescription | undefined>;
  readRecovery(): Promise<Recovery>;
  create(): Promise<void>;
  turnTtlOn(): Promise<void>;
  turnRecoveryOn(): Promise<void>;
  turnProtectionOn(): Promise<void>;
}

/** Whether the table can be brought back as it was at any second of the last weeks. */
export type Recovery = 'on' | 'off' | 'unsupported';

/** The calls that concern one table as a whole. */
export function createTableControl(
  dynamo: DynamoDBDocumentClient,
  timers: Timers,
  TableName: string,
): TableControl {
  const find = async (): Promise<TableDescription | undefined> => {
    const call = dynamo.send(new DescribeTableCommand({ TableName }));
    return (await translated(service, tolerate(call, /ResourceNotFound/, undefined)))?.Table;
  };

  return {
    find,

    settled: () =>
      waitFor(timers, `The table ${TableName}`, async () => {
        const table = await find();
        return table !== undefined && isSettled(table) ? table : undefined;
      }),

    async readTtl() {
      const call = dynamo.send(new DescribeTimeToLiveCommand({ TableName }));
      const answer = await translated(service, tolerate(call, /ResourceNotFound/, undefined));
      return answer?.TimeToLiveDescription;
    },

    readRecovery() {
      const call = dynamo.send(new DescribeContinuousBackupsCommand({ TableName }));
      const found = tolerate(call.then(recoveryOf), /NotFound/, 'off' as const);
      return translated(service, tolerate(found, /UnknownOperation/, 'unsupported' as const));
    },

    async create() {
      const call = dynamo.send(new CreateTableCommand(createTableInput(TableName)));
      // In use: another run was faster, or an earlier try of this call did arrive.
      await translated(service, tolerate(call, /ResourceInUse/, undefined));
    },

    async turnTtlOn() {
      const TimeToLiveSpecification = { AttributeName: tableShape.ttlAttribute, Enabled: true };
      const command = new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification });
      await translated(service, dynamo.send(command));
    },

    async turnRecoveryOn() {
      const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
      const command = new UpdateContinuousBackupsCommand({
        TableName,
        PointInTimeRecoverySpecification,
      });
      // Unavailable: for a while after a table is made its backups are still being set up.
      await waitFor(timers, `Turning on the recovery of ${TableName}`, () =>
        translated(
          service,
          tolerate(dynamo.send(command), /ContinuousBackupsUnavailable/, undefined),
        ),
      );
    },

    async turnProtectionOn() {
      const command = new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true });
      await translated(service, dynamo.send(command));
    },
  };
}

function isSettled({ TableStatus, GlobalSecondaryIndexes: indexes = [] }: TableDescription) {
  const statuses = [TableStatus, ...indexes.map(({ IndexStatus }) => IndexStatus)];
  return !statuses.some((status) => status === 'CREATING' || status === 'UPDATING');
}

function recoveryOf(answer: DescribeContinuousBackupsCommandOutput): Recovery {
  const recovery = answer.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  return recovery?.PointInTimeRecoveryStatus === 'ENABLED' ? 'on' : 'off';
}

const service = 'DynamoDB';
