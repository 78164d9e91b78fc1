import type { Bench } from './scenario.ts';

export interface Round {
  readonly name: string;
  readonly isWarmUp: boolean;
  readonly durationSeconds: number;
}

/** Measures once without counting it, then as many times as the plan says. */
export async function runRounds<Result>(
  { plan, say }: Bench,
  measure: (round: Round) => Promise<Result>,
): Promise<Result[]> {
  say('warm-up');
  await measure({ name: 'warm-up', isWarmUp: true, durationSeconds: plan.warmUpSeconds });
  const results: Result[] = [];
  for (let number = 1; number <= plan.rounds; number += 1) {
    const name = `round-${number}`;
    say(name);
    results.push(await measure({ name, isWarmUp: false, durationSeconds: plan.windowSeconds }));
  }
  return results;
}
