import { maxQueuedDuring } from '../backlog.ts';
import { debugUsers } from '../entrants.ts';
import { startFairlineServer } from '../fairline-server.ts';
import { compare, type Finding, summarize } from '../finding.ts';
import { measureIngestWindow } from '../ingest-window.ts';
import { countWrongOutcomes } from '../outcome.ts';
import type { ParticipationServer } from '../participation-server.ts';
import type { Bench } from '../scenario.ts';
import { runLoad } from '../wrk.ts';

const smallStored = 10_000;
const fillLimitSeconds = 600;
const windowUsers = debugUsers(1, 1_000_000);

/** Whether a full store still admits as fast as a nearly empty one, and keeps its backlog short. */
export async function growth(bench: Bench): Promise<Finding[]> {
  const { lab, plan, memory, say } = bench;
  const { growthStored, windowSeconds } = plan;
  const smallName = `${smallStored.toLocaleString('en')} stored`;
  const largeName = `${growthStored.toLocaleString('en')} stored`;
  say(`filling to ${largeName}`);
  const large = await startFairlineServer(lab, memory);
  const { filled, maxQueued } = await fill(bench, large, growthStored);

  const rounds = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    const name = `round-${round}`;
    say(name);
    const small = await startFairlineServer(lab, memory);
    const { filled: smallFilled } = await fill(bench, small, smallStored);
    const atSmall = await measureIngestWindow(lab, small, name, windowUsers, windowSeconds);
    const atLarge = await measureIngestWindow(lab, large, name, windowUsers, windowSeconds);
    rounds.push({
      small: { ...atSmall, errors: atSmall.errors + smallFilled.errors },
      large: atLarge,
    });
    await small.process.stop();
  }

  return [
    compare(
      { id: 'growth/rate', name: `ingest at ${largeName} / at ${smallName}` },
      [`growth: window at ${largeName}`, rounds.map((round) => round.large)],
      [`growth: window at ${smallName}`, rounds.map((round) => round.small)],
    ),
    {
      id: 'growth/backlog',
      name: `longest queue while filling to ${largeName}`,
      unit: 'requests',
      value: maxQueued,
      rounds: [],
      sides: [summarize(`growth: filling to ${largeName}`, [filled])],
    },
  ];
}

async function fill({ lab }: Bench, server: ParticipationServer, stored: number) {
  const eventId = 'fill';
  const capacityTotal = stored / 10;
  await server.createEvent(eventId, capacityTotal);
  const load = debugUsers(1, stored)(eventId);
  const filling = runLoad(lab, server.url, load, fillLimitSeconds);
  const maxQueued = await maxQueuedDuring(filling, server, eventId);
  const filled = await filling;
  const outcome = await server.waitUntilSettled(eventId);
  const errors = filled.errors + countWrongOutcomes(outcome, filled, capacityTotal);
  return { filled: { ...filled, errors }, maxQueued };
}
