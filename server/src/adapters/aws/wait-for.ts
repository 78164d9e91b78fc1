import { Fault } from '../../domain/errors.ts';
import type { Timers } from '../../ports/timers.ts';

/** Asks until there is an answer: undefined is "not yet". A fault after five minutes without one. */
export async function waitFor<Answer>(
  timers: Timers,
  what: string,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer> {
  for (let asked = 0; asked < asksMax; asked += 1) {
    if (asked > 0) await timers.sleep(intervalMs);
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  const minutes = (asksMax * intervalMs) / 60_000;
  const message = `${what} took more than ${minutes} minutes; run this again to carry on.`;
  throw new Fault('UNAVAILABLE', message, { retryable: true });
}

const asksMax = 150;
const intervalMs = 2000;
