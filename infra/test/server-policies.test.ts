import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { exampleKeyArn, synthesise } from './synthesise.ts';

const tableRights = [
  'dynamodb:BatchGetItem table',
  'dynamodb:BatchWriteItem table',
  'dynamodb:ConditionCheckItem table',
  'dynamodb:DeleteItem table',
  'dynamodb:DescribeTable table',
  'dynamodb:DescribeTimeToLive table',
  'dynamodb:GetItem table',
  'dynamodb:PutItem table',
  'dynamodb:Query table',
  'dynamodb:Query table/index/GSI1',
  'dynamodb:Query table/index/GSI2',
  'dynamodb:UpdateItem table',
];

const deadLetterRights = [
  'sqs:DeleteMessage fairline-dlq',
  'sqs:GetQueueAttributes fairline-dlq',
  'sqs:GetQueueUrl fairline-dlq',
  'sqs:ReceiveMessage fairline-dlq',
];

const keyRights = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
].map((action) => `${action} ${exampleKeyArn}`);

describe('the policies of the server', () => {
  test('let the API use items, send messages, work on dead letters, and nothing else', () => {
    expect(rightsOf(synthesise(), 'ApiPolicy')).toEqual(
      [
        ...tableRights,
        ...deadLetterRights,
        'sqs:GetQueueAttributes fairline-main',
        'sqs:GetQueueUrl fairline-main',
        'sqs:SendMessage fairline-main',
      ].sort(),
    );
  });

  test('let the worker use items, handle messages, work on dead letters, and nothing else', () => {
    expect(rightsOf(synthesise(), 'WorkerPolicy')).toEqual(
      [
        ...tableRights,
        ...deadLetterRights,
        'sqs:ChangeMessageVisibility fairline-main',
        'sqs:DeleteMessage fairline-main',
        'sqs:GetQueueAttributes fairline-main',
        'sqs:GetQueueUrl fairline-main',
        'sqs:ReceiveMessage fairline-main',
        'sqs:SendMessage fairline-main',
      ].sort(),
    );
  });

  test('add the use of the operator’s key, through DynamoDB only', () => {
    const template = synthesise({ tableKeyArn: exampleKeyArn });
    for (const name of ['ApiPolicy', 'WorkerPolicy']) {
      expect(rightsOf(template, name)).toEqual(expect.arrayContaining(keyRights));
      const onKey = statementsOf(template, name).filter(
        ({ Resource }) => Resource === exampleKeyArn,
      );
      expect(onKey.map(({ Condition }) => Condition)).toEqual([
        { StringEquals: { 'kms:ViaService': 'dynamodb.ap-northeast-2.amazonaws.com' } },
      ]);
    }
  });

  test('have no wildcard, neither in actions nor in resources', () => {
    for (const template of [synthesise(), synthesise({ tableKeyArn: exampleKeyArn })]) {
      const policies = template.findResources('AWS::IAM::ManagedPolicy');
      expect(Object.keys(policies)).toHaveLength(2);
      expect(JSON.stringify(policies)).not.toContain('*');
    }
  });

  test('are attached to nobody: roles are the operator’s', () => {
    const template = synthesise();
    template.resourceCountIs('AWS::IAM::Role', 0);
    template.resourceCountIs('AWS::IAM::Policy', 0);
  });
});

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** Every allowed pair of action and resource, as a sorted list of lines. */
function rightsOf(template: Template, policy: string): string[] {
  return statementsOf(template, policy)
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action, Resource }) =>
      [Action]
        .flat()
        .flatMap((action) =>
          [Resource].flat().map((resource) => `${action} ${nameOf(template, resource)}`),
        ),
    )
    .sort();
}

function statementsOf(template: Template, policy: string): readonly Statement[] {
  const policies = template.findResources('AWS::IAM::ManagedPolicy');
  const [found] = Object.entries(policies).filter(([id]) => id.startsWith(policy));
  return found?.[1]['Properties'].PolicyDocument.Statement ?? [];
}

/** `table`, `table/index/GSI1`, a queue's name, or what was given in full. */
function nameOf(template: Template, resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const { 'Fn::GetAtt': attribute, 'Fn::Join': join } = resource as {
    readonly 'Fn::GetAtt'?: readonly [string, string];
    readonly 'Fn::Join'?: readonly [string, readonly unknown[]];
  };
  if (join !== undefined) return join[1].map((part) => nameOf(template, part)).join(join[0]);
  const properties = template.toJSON()['Resources'][attribute?.[0] ?? '']?.Properties;
  return properties?.QueueName ?? (properties?.TableName === undefined ? '?' : 'table');
}
