import type { Entrants } from './entrants.ts';
import type { Measurement } from './finding.ts';
import type { Lab } from './lab.ts';
import { countWrongOutcomes } from './outcome.ts';
import type { ParticipationServer } from './participation-server.ts';
import { runLoad } from './wrk.ts';

const capacityTotal = 1000;

/**
 * Admissions into a new event for the time given. A window leaves nothing behind: its backlog is
 * settled before the next party is measured.
 */
export async function measureIngestWindow(
  lab: Lab,
  server: ParticipationServer,
  eventId: string,
  entrants: Entrants,
  durationSeconds: number,
): Promise<Measurement> {
  await server.createEvent(eventId, capacityTotal);
  const measurement = await runLoad(lab, server.url, entrants(eventId), durationSeconds);
  const { pending } = await server.summary(eventId);
  const outcome = await server.waitUntilSettled(eventId);
  const errors = measurement.errors + countWrongOutcomes(outcome, measurement, capacityTotal);
  return { ...measurement, errors, leftQueued: pending };
}
