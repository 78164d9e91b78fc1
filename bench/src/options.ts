import { parseArgs } from 'node:util';
import { fullPlan, type Plan, quickPlan } from './plan.ts';
import { type ScenarioName, scenarioNames } from './scenarios.ts';

export interface Options {
  readonly plan: Plan;
  readonly scenarios: readonly ScenarioName[];
  /** A selection is printed only: the kept results are always those of a complete run. */
  readonly isComplete: boolean;
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: 'boolean' }, only: { type: 'string', multiple: true } },
  });
  return {
    plan: values.quick ? quickPlan : fullPlan,
    scenarios: values.only?.map(toScenarioName) ?? scenarioNames,
    isComplete: values.only === undefined,
  };
}

function toScenarioName(name: string): ScenarioName {
  const known = scenarioNames.find((candidate) => candidate === name);
  if (!known) throw new Error(`--only ${name}: choose from ${scenarioNames.join(', ')}`);
  return known;
}
