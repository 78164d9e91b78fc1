export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? Number.NaN;
  return (lower + upper) / 2;
}
