import { setTimeout as sleep } from 'node:timers/promises';
import type { ParticipationServer } from './participation-server.ts';

const sampleEveryMs = 500;

/** The longest queue that was seen while the work went on. */
export async function maxQueuedDuring(
  work: Promise<unknown>,
  server: ParticipationServer,
  eventId: string,
): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let maxQueued = 0;
  while (!isDone) {
    maxQueued = Math.max(maxQueued, (await server.summary(eventId)).queued);
    await Promise.race([done, sleep(sampleEveryMs)]);
  }
  return maxQueued;
}
