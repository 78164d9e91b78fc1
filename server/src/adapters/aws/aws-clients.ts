import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export interface AwsClients {
  readonly dynamo: DynamoDBDocumentClient;
  readonly sqs: SQSClient;
  close(): void;
}

/**
 * Region, credentials and endpoints come from the SDK's own variables. The SDK retries what is
 * safe to retry, with jitter, and is the only layer that does so within one call.
 */
export function createAwsClients(): AwsClients {
  const base = new DynamoDBClient({ maxAttempts: attemptsMax, requestHandler: dynamoTimeouts });
  const sqs = new SQSClient({
    maxAttempts: attemptsMax,
    requestHandler: sqsTimeouts,
    // The endpoint is configured; a queue's address is only its name there.
    useQueueUrlAsEndpoint: false,
  });
  return {
    dynamo: DynamoDBDocumentClient.from(base, { marshallOptions: { removeUndefinedValues: true } }),
    sqs,
    close() {
      base.destroy();
      sqs.destroy();
    },
  };
}

const attemptsMax = 4;
const socketsMax = 128;
const dynamoTimeouts = {
  connectionTimeout: 1000,
  requestTimeout: 3000,
  throwOnRequestTimeout: true,
  httpsAgent: { maxSockets: socketsMax },
  httpAgent: { maxSockets: socketsMax },
};
/** A long poll is silent for as long as it waits, 20 seconds at most. */
const sqsTimeouts = { ...dynamoTimeouts, requestTimeout: 25_000 };
