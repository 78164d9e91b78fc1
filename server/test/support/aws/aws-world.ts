import { onTestFinished } from 'vitest';
import { runCli } from '../child-server.ts';
import { scratchDirectory } from '../test-server.ts';
import { awsVariables } from './aws-variables.ts';
import { type Emulator, startDynamoEmulator } from './dynamo-emulator.ts';
import { startSqsEmulator } from './sqs-emulator.ts';

export interface AwsWorld {
  readonly dynamo: Emulator;
  readonly sqs: Emulator;
  /** What a process needs to take part in it. */
  variables(more?: Record<string, string>): Record<string, string>;
}

/** Emulators with everything provisioned as an operator does it; they end with the test. */
export async function createAwsWorld(settings: Record<string, string> = {}): Promise<AwsWorld> {
  const [dynamo, sqs] = await Promise.all([startDynamoEmulator(), startSqsEmulator()]);
  onTestFinished(async () => {
    await Promise.all([dynamo.stop(), sqs.stop()]);
  });
  const variables = (more: Record<string, string> = {}) => ({
    ...awsVariables(dynamo, sqs),
    FAIRLINE_ENGINE: 'aws',
    FAIRLINE_RATE_USER_MAX: '0',
    FAIRLINE_DATA_DIR: scratchDirectory(),
    ...settings,
    ...more,
  });
  const provisioned = await runCli(['aws', 'provision'], variables());
  if (provisioned.code !== 0) throw new Error(provisioned.output);
  return { dynamo, sqs, variables };
}
