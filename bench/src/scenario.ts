import type { Finding } from './finding.ts';
import type { Lab } from './lab.ts';
import type { PeakMemory } from './memory.ts';
import type { Plan } from './plan.ts';

export interface Bench {
  readonly lab: Lab;
  readonly plan: Plan;
  readonly memory: PeakMemory;
  readonly say: (progress: string) => void;
}

export type Scenario = (bench: Bench) => Promise<Finding[]>;
