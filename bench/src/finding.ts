import { median } from './median.ts';

/** One line of the report. */
export interface Finding {
  readonly id: string;
  readonly name: string;
  readonly unit: 'ratio' | 'MB' | 'requests';
  readonly value: number;
  /** The ratio of each round; the value is their median. */
  readonly rounds: readonly number[];
  /** What the value was computed from. */
  readonly sides: readonly Side[];
}

/** What one party did, over all rounds. */
export interface Side extends Measurement {
  readonly name: string;
}

export interface Measurement {
  readonly answers: number;
  readonly ratePerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Refused or broken requests and wrong outcomes: any of them makes the line invalid. */
  readonly errors: number;
  /** How many accepted requests were still unsettled when the load ended. */
  readonly leftQueued?: number;
}

/** Compares two parties round by round: what slows the machine for a while slows both. */
export function compare(
  line: Pick<Finding, 'id' | 'name'>,
  [firstName, first]: readonly [string, readonly Measurement[]],
  [secondName, second]: readonly [string, readonly Measurement[]],
): Finding {
  const rounds = first.map(
    (measurement, round) =>
      measurement.ratePerSecond / (second[round]?.ratePerSecond ?? Number.NaN),
  );
  const sides = [summarize(firstName, first), summarize(secondName, second)];
  return { ...line, unit: 'ratio', value: median(rounds), rounds, sides };
}

export function summarize(name: string, rounds: readonly Measurement[]): Side {
  const leftQueued = rounds.flatMap((round) => round.leftQueued ?? []);
  return {
    name,
    answers: rounds.reduce((sum, round) => sum + round.answers, 0),
    ratePerSecond: median(rounds.map((round) => round.ratePerSecond)),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    errors: rounds.reduce((sum, round) => sum + round.errors, 0),
    ...(leftQueued.length > 0 && { leftQueued: Math.max(...leftQueued) }),
  };
}

export function isValid(finding: Finding): boolean {
  return Number.isFinite(finding.value) && finding.sides.every((side) => side.errors === 0);
}
