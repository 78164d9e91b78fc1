import pc from 'picocolors';
import { createAwsClients } from '../adapters/aws/aws-clients.ts';
import { OtherShape } from '../adapters/aws/other-shape.ts';
import { provision } from '../adapters/aws/provision.ts';
import type { Outcome, Step } from '../adapters/aws/provision-plan.ts';
import { systemTimers } from '../adapters/system/system-timers.ts';
import { readConfig } from '../config.ts';
import { Fault } from '../domain/errors.ts';
import { explainAwsFault } from './explain-aws-fault.ts';

export interface ProvisionAwsOptions {
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Has the table and the queues made, and says what became of each. */
export async function provisionAws({ dryRun, json }: ProvisionAwsOptions): Promise<void> {
  const { aws, visibilityMs, receivesMax } = readConfig();
  const clients = createAwsClients();
  try {
    const steps = await provision(clients, {
      ...aws,
      visibilitySeconds: visibilityMs / 1000,
      receivesMax,
      timers: systemTimers,
      isDryRun: dryRun,
      onStep: (step) => {
        if (!json) print(stepLine(step, dryRun));
      },
    });
    const region = await clients.dynamo.config.region();
    const changes = steps.filter(({ outcome }) => outcome === 'created' || outcome === 'changed');
    if (json) print(JSON.stringify({ region, dryRun, changeCount: changes.length, steps }));
    else print(closingLines(region, changes.length, dryRun));
  } catch (error) {
    throw explained(error);
  } finally {
    clients.close();
  }
}

function stepLine({ resource, outcome, detail }: Step, dryRun: boolean): string {
  const word = (dryRun ? (dryRunWords[outcome] ?? outcome) : outcome).padEnd(12);
  return `  ${paints[outcome](word)} ${resource}${detail === undefined ? '' : ` (${detail})`}`;
}

function closingLines(region: string, changeCount: number, dryRun: boolean): string {
  if (changeCount === 0) return `Nothing to change in ${region}: everything is in place.\n${next}`;
  return dryRun
    ? `Nothing was changed in ${region}: this was a dry run.\nNext: run it without --dry-run.`
    : `Everything is in place in ${region}.\n${next}`;
}

function explained(error: unknown): unknown {
  if (error instanceof OtherShape) {
    return new Error(`${error.message}\nNothing was changed. ${afterOtherShape}`, { cause: error });
  }
  return error instanceof Fault ? new Error(explainAwsFault(error), { cause: error }) : error;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const colours = pc.createColors(process.stdout.isTTY && pc.isColorSupported);
const next = `Next: set ${colours.cyan('FAIRLINE_ENGINE=aws')}.`;
const afterOtherShape =
  'Change what is listed by hand, or have the configuration say what is there (FAIRLINE_VISIBILITY_SECONDS, FAIRLINE_RECEIVES_MAX), or name others (FAIRLINE_TABLE, FAIRLINE_QUEUE, FAIRLINE_DLQ).';
const dryRunWords: Partial<Record<Outcome, string>> = {
  created: 'would create',
  changed: 'would change',
};
const paints: Record<Outcome, (text: string) => string> = {
  created: colours.green,
  changed: colours.yellow,
  unchanged: colours.dim,
  skipped: colours.dim,
};
