/** How many measurements had each value, in ascending order of value. */
export type Distribution = Iterable<readonly [value: number, count: number]>;

export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** Nearest rank: the smallest value that at least that share of the measurements does not exceed. */
export function percentilesOf(distribution: Distribution): Percentiles {
  const points = [...distribution];
  const total = points.reduce((sum, [, count]) => sum + count, 0);
  return {
    p50: rank(points, total, 50),
    p95: rank(points, total, 95),
    p99: rank(points, total, 99),
  };
}

function rank(
  points: readonly (readonly [number, number])[],
  total: number,
  percent: number,
): number | null {
  const wanted = Math.ceil((total * percent) / 100);
  let seen = 0;
  for (const [value, count] of points) {
    seen += count;
    if (seen >= wanted && count > 0) return value;
  }
  return null;
}
