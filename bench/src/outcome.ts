import type { Measurement } from './finding.ts';
import type { Summary } from './participation-server.ts';

/** Speed counts only when every answered request was kept and exactly the capacity has won. */
export function countWrongOutcomes(
  { succeeded, rejected, failed }: Summary,
  { answers }: Measurement,
  capacityTotal: number,
): number {
  const stored = succeeded + rejected + failed;
  const lost = Math.max(0, answers - stored);
  const wrongWinners = Math.abs(succeeded - Math.min(capacityTotal, stored));
  return lost + failed + wrongWinners;
}
