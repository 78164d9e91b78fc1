import { debugUsers } from '../entrants.ts';
import { startFairlineServer } from '../fairline-server.ts';
import { compare, type Measurement } from '../finding.ts';
import { countWrongOutcomes } from '../outcome.ts';
import type { ParticipationServer } from '../participation-server.ts';
import { startPeerServer } from '../peer-server.ts';
import { runRounds } from '../rounds.ts';
import type { Bench } from '../scenario.ts';
import { runLoad } from '../wrk.ts';

const warmUpShare = 0.2;
const limitSeconds = 300;

/** Entrants settled a second, from the first request until the last one has its outcome. */
export async function endToEnd(bench: Bench) {
  const { lab, plan, memory } = bench;
  const fairline = await startFairlineServer(lab, memory);
  const peer = await startPeerServer(lab);

  const rounds = await runRounds(bench, async ({ name, isWarmUp }) => {
    const share = isWarmUp ? warmUpShare : 1;
    return {
      fairline: await settle(bench, fairline, name, plan.fairlineEntrants * share),
      peer: await settle(bench, peer, name, plan.peerEntrants * share),
    };
  });

  return [
    compare(
      { id: 'end-to-end/peer', name: 'end to end / peer' },
      ['end to end: Fairline', rounds.map((round) => round.fairline)],
      ['end to end: peer', rounds.map((round) => round.peer)],
    ),
  ];
}

async function settle(
  { lab }: Bench,
  server: ParticipationServer,
  eventId: string,
  entrants: number,
): Promise<Measurement> {
  const capacityTotal = entrants / 10;
  await server.createEvent(eventId, capacityTotal);
  const startedAt = performance.now();
  const load = debugUsers(1, entrants)(eventId);
  const submitted = await runLoad(lab, server.url, load, limitSeconds);
  const { pending } = await server.summary(eventId);
  const outcome = await server.waitUntilSettled(eventId, limitSeconds);
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  return {
    ...submitted,
    ratePerSecond: (outcome.succeeded + outcome.rejected) / elapsedSeconds,
    errors: submitted.errors + countWrongOutcomes(outcome, submitted, capacityTotal),
    leftQueued: pending,
  };
}
