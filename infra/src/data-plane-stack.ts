import { Arn, ArnFormat, CfnOutput, type Environment, Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { createMessageQueues } from './message-queues.ts';
import type { DataPlaneParameters } from './parameters.ts';
import { createParticipationTable } from './participation-table.ts';
import { serverEnvironment } from './server-environment.ts';
import { createServerPolicies } from './server-policies.ts';

export class DataPlaneStack extends Stack {
  constructor(scope: Construct, id: string, parameters: DataPlaneParameters) {
    super(scope, id, {
      description: 'Fairline data plane: table, queues and the rights of the server.',
      terminationProtection: true,
      tags,
      env: environmentOf(parameters.tableKeyArn),
    });
    const table = createParticipationTable(this, parameters);
    const queues = createMessageQueues(this, parameters);
    const policies = createServerPolicies(this, {
      table,
      tableKeyArn: parameters.tableKeyArn,
      queues,
    });
    for (const [key, value] of Object.entries(tags)) Tags.of(this).add(key, value);

    const outputs = {
      TableName: table.tableName,
      TableArn: table.tableArn,
      QueueUrl: queues.main.queueUrl,
      QueueArn: queues.main.queueArn,
      DeadLetterQueueUrl: queues.deadLetters.queueUrl,
      DeadLetterQueueArn: queues.deadLetters.queueArn,
      ApiPolicyArn: policies.api.managedPolicyArn,
      WorkerPolicyArn: policies.worker.managedPolicyArn,
      ServerEnvironment: serverEnvironment(parameters),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

/** A key binds the stack to its account and region; without one the stack can go anywhere. */
function environmentOf(tableKeyArn: string | undefined): Environment {
  if (tableKeyArn === undefined) return {};
  const { account, region } = Arn.split(tableKeyArn, ArnFormat.SLASH_RESOURCE_NAME);
  return { ...(account && { account }), ...(region && { region }) };
}

const tags = { app: 'fairline' };
