/** What is to be done, known in full before anything is done. */
export interface Plan {
  /** Of what exists from what must be; one of them refuses the whole plan. */
  readonly differences: readonly string[];
  /** In an order in which the next run carries on after a crash in between. */
  readonly steps: readonly PlannedStep[];
}

export interface PlannedStep extends Step {
  /** Absent when nothing is to be done. Resolves to what came out otherwise than planned. */
  readonly act?: () => Promise<Partial<Step>>;
}

export interface Step {
  readonly resource: string;
  readonly outcome: Outcome;
  readonly detail?: string;
}

export type Outcome = 'created' | 'changed' | 'unchanged' | 'skipped';

export const asPlanned: Partial<Step> = {};

export const notSupported = {
  outcome: 'skipped',
  detail: 'not supported by this endpoint',
} as const satisfies Partial<Step>;
