import type { Emulator } from './dynamo-emulator.ts';

/** The SDK's own variables, as they must be for a client that talks to the emulators. */
export function awsVariables(dynamo: Emulator, sqs: Emulator): Record<string, string> {
  return {
    AWS_REGION: 'ap-northeast-2',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: dynamo.url,
    AWS_ENDPOINT_URL_SQS: sqs.url,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
}
