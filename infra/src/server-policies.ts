import { Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { MessageQueues } from './message-queues.ts';
import { indexNames } from './participation-table.ts';

export interface ServerPoliciesOptions {
  readonly table: TableV2;
  readonly tableKeyArn: string | undefined;
  readonly queues: MessageQueues;
}

export interface ServerPolicies {
  readonly api: ManagedPolicy;
  readonly worker: ManagedPolicy;
}

/** What the server may do in each role, to attach to the roles that its processes run as. */
export function createServerPolicies(
  scope: Construct,
  { table, tableKeyArn, queues }: ServerPoliciesOptions,
): ServerPolicies {
  const sameForBoth = () => [
    ...tableStatements(table),
    ...(tableKeyArn === undefined ? [] : [keyStatement(scope, tableKeyArn)]),
    allow('ReadDeadLetters', deadLetterActions, [queues.deadLetters.queueArn]),
  ];
  return {
    api: new ManagedPolicy(scope, 'ApiPolicy', {
      description: 'Fairline API: take requests in, answer for them, operate on dead letters.',
      statements: [...sameForBoth(), allow('SendMessages', sendActions, [queues.main.queueArn])],
    }),
    worker: new ManagedPolicy(scope, 'WorkerPolicy', {
      description: 'Fairline worker: receive and settle requests, keep the dead letters.',
      statements: [
        ...sameForBoth(),
        allow('HandleMessages', [...sendActions, ...handleActions], [queues.main.queueArn]),
      ],
    }),
  };
}

function tableStatements({ tableArn }: TableV2): PolicyStatement[] {
  const indexArns = indexNames.map((name) => `${tableArn}/index/${name}`);
  return [
    allow('UseItems', itemActions, [tableArn]),
    allow('QueryTableAndIndexes', ['dynamodb:Query'], [tableArn, ...indexArns]),
    allow('DescribeTable', ['dynamodb:DescribeTable', 'dynamodb:DescribeTimeToLive'], [tableArn]),
  ];
}

/** DynamoDB uses a customer's key in its caller's name; the caller has no other use of it. */
function keyStatement(scope: Construct, keyArn: string): PolicyStatement {
  const statement = allow('UseTableKeyThroughDynamoDb', keyActions, [keyArn]);
  statement.addCondition('StringEquals', {
    'kms:ViaService': `dynamodb.${Stack.of(scope).region}.amazonaws.com`,
  });
  return statement;
}

function allow(sid: string, actions: string[], resources: string[]): PolicyStatement {
  return new PolicyStatement({ sid, actions, resources });
}

// A transaction needs the rights of the operations in it; it has no action of its own.
const itemActions = [
  'dynamodb:GetItem',
  'dynamodb:BatchGetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
];

const keyActions = [
  'kms:Encrypt',
  'kms:Decrypt',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:DescribeKey',
];

const lookUpActions = ['sqs:GetQueueUrl', 'sqs:GetQueueAttributes'];
const sendActions = [...lookUpActions, 'sqs:SendMessage'];
const handleActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'];
const deadLetterActions = [...lookUpActions, 'sqs:ReceiveMessage', 'sqs:DeleteMessage'];
