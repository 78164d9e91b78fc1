import { describe, expect, test } from 'vitest';
import { createStack, synthesise } from './synthesise.ts';

describe('the stack', () => {
  test('holds one table, two queues with a policy each, two managed policies and no more', () => {
    const types = Object.values(
      synthesise().toJSON()['Resources'] as Record<string, { Type: string }>,
    );
    expect(types.map(({ Type }) => Type).sort()).toEqual([
      'AWS::DynamoDB::GlobalTable',
      'AWS::IAM::ManagedPolicy',
      'AWS::IAM::ManagedPolicy',
      'AWS::SQS::Queue',
      'AWS::SQS::Queue',
      'AWS::SQS::QueuePolicy',
      'AWS::SQS::QueuePolicy',
    ]);
  });

  test('tells the names, URLs and ARNs that others need', () => {
    expect(Object.keys(synthesise().findOutputs('*'))).toEqual([
      'TableName',
      'TableArn',
      'QueueUrl',
      'QueueArn',
      'DeadLetterQueueUrl',
      'DeadLetterQueueArn',
      'ApiPolicyArn',
      'WorkerPolicyArn',
      'ServerEnvironment',
    ]);
  });

  test('tells the environment of the server, ready to copy', () => {
    synthesise().hasOutput('ServerEnvironment', {
      Value:
        'FAIRLINE_ENGINE=aws FAIRLINE_TABLE=AsyncEventTable FAIRLINE_QUEUE=fairline-main ' +
        'FAIRLINE_DLQ=fairline-dlq FAIRLINE_VISIBILITY_SECONDS=30 FAIRLINE_RECEIVES_MAX=5',
    });
    const renamed = {
      tableName: 'Table2',
      queueName: 'main2',
      deadLetterQueueName: 'dlq2',
      visibilitySeconds: 60,
      maxReceiveCount: 4,
    };
    synthesise(renamed).hasOutput('ServerEnvironment', {
      Value:
        'FAIRLINE_ENGINE=aws FAIRLINE_TABLE=Table2 FAIRLINE_QUEUE=main2 ' +
        'FAIRLINE_DLQ=dlq2 FAIRLINE_VISIBILITY_SECONDS=60 FAIRLINE_RECEIVES_MAX=4',
    });
  });

  test('tags itself, its table and its queues app=fairline', () => {
    const template = synthesise();
    const tagged = [{ Key: 'app', Value: 'fairline' }];
    expect(createStack().tags.tagValues()).toEqual({ app: 'fairline' });
    template.allResourcesProperties('AWS::SQS::Queue', { Tags: tagged });
    template.hasResource('AWS::DynamoDB::GlobalTable', {
      Properties: { Replicas: [{ Tags: tagged }] },
    });
  });

  test('cannot be deleted by mistake', () => {
    expect(createStack().terminationProtection).toBe(true);
  });

  test('can be deployed to any account and region', () => {
    expect(createStack().environment).toBe('aws://unknown-account/unknown-region');
  });
});
