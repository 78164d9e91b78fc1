/** How much is measured, and for how long. */
export interface Plan {
  readonly mode: 'full' | 'quick';
  readonly rounds: number;
  readonly windowSeconds: number;
  readonly warmUpSeconds: number;
  readonly fairlineEntrants: number;
  /** The peer settles fewer a second; as rates are compared, it need not settle as many. */
  readonly peerEntrants: number;
  readonly growthStored: number;
}

export const fullPlan: Plan = {
  mode: 'full',
  rounds: 5,
  windowSeconds: 3,
  warmUpSeconds: 2,
  fairlineEntrants: 100_000,
  peerEntrants: 40_000,
  growthStored: 1_000_000,
};

export const quickPlan: Plan = {
  mode: 'quick',
  rounds: 1,
  windowSeconds: 3,
  warmUpSeconds: 1,
  fairlineEntrants: 40_000,
  peerEntrants: 15_000,
  growthStored: 100_000,
};
