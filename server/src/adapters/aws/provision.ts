import type { Timers } from '../../ports/timers.ts';
import type { AwsClients } from './aws-clients.ts';
import { refuseOtherShape } from './other-shape.ts';
import { planQueues } from './plan-queues.ts';
import { planTable } from './plan-table.ts';
import type { Step } from './provision-plan.ts';
import type { QueueOptions } from './queue-shape.ts';

export interface ProvisionOptions extends QueueOptions {
  readonly table: string;
  readonly timers: Timers;
  /** Only plan: every step then tells what it would come to. */
  readonly isDryRun?: boolean;
  readonly onStep?: (step: Step) => void;
}

/**
 * Creates what the AWS engine needs and does not find. What exists with another shape is refused,
 * all differences at once, before anything is done; a second run changes nothing.
 */
export async function provision(clients: AwsClients, options: ProvisionOptions): Promise<Step[]> {
  const { table, timers, isDryRun = false, onStep } = options;
  const plans = [
    await planTable(clients.dynamo, timers, table),
    await planQueues(clients.sqs, timers, options),
  ];
  refuseOtherShape(plans.flatMap((plan) => plan.differences));

  const steps: Step[] = [];
  for (const { act, ...planned } of plans.flatMap((plan) => plan.steps)) {
    const step = isDryRun ? planned : { ...planned, ...(await act?.()) };
    onStep?.(step);
    steps.push(step);
  }
  return steps;
}
