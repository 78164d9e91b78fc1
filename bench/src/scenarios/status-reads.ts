import { writeFile } from 'node:fs/promises';
import { startEmptyServer } from '../empty-server.ts';
import { type Identity, identities } from '../entrants.ts';
import { startFairlineServer } from '../fairline-server.ts';
import { compare } from '../finding.ts';
import type { ParticipationServer } from '../participation-server.ts';
import { runRounds } from '../rounds.ts';
import type { Bench } from '../scenario.ts';
import { signToken } from '../tokens.ts';
import { getEmpty, type Load, runLoad } from '../wrk.ts';

const eventId = 'reads';
const ownerCount = 10_000;
const submittersAtOnce = 64;

/** Owners who poll their settled requests. */
export async function statusReads(bench: Bench) {
  const { lab, memory } = bench;
  const empty = await startEmptyServer(lab);
  const fairline = await startFairlineServer(lab, memory);
  const requestIds = await submitRequests(fairline);
  const debugReads = await writeReads(bench, requestIds, 'debug');
  const tokenReads = await writeReads(bench, requestIds, 'HS256');

  const rounds = await runRounds(bench, async ({ durationSeconds }) => ({
    empty: await runLoad(lab, empty, getEmpty, durationSeconds),
    debug: await runLoad(lab, fairline.url, debugReads, durationSeconds),
    HS256: await runLoad(lab, fairline.url, tokenReads, durationSeconds),
  }));

  const emptyRoute = ['status reads: empty route', rounds.map((round) => round.empty)] as const;
  return identities.map((identity) => {
    const id = `status-reads-${identity.toLowerCase()}/empty`;
    const name = `status reads (${identity} identity)`;
    const ours = [`${name}: Fairline`, rounds.map((round) => round[identity])] as const;
    return compare({ id, name: `${name} / empty route` }, ours, emptyRoute);
  });
}

async function submitRequests(server: ParticipationServer): Promise<string[]> {
  await server.createEvent(eventId, ownerCount / 10);
  const requestIds: string[] = [];
  let nextUser = 0;
  const submit = async () => {
    while (nextUser < ownerCount) {
      const user = nextUser;
      nextUser += 1;
      requestIds[user] = await server.participate(eventId, `user-${user}`);
    }
  };
  await Promise.all(Array.from({ length: submittersAtOnce }, submit));
  await server.waitUntilSettled(eventId);
  return requestIds;
}

async function writeReads({ lab }: Bench, requestIds: string[], identity: Identity): Promise<Load> {
  const identityHeader = (userId: string) =>
    identity === 'debug'
      ? `X-Debug-User-Id: ${userId}`
      : `Authorization: Bearer ${signToken(userId)}`;
  const lines = requestIds.map((id, user) => `${id} ${identityHeader(`user-${user}`)}\n`);
  const file = lab.newPath('reads.txt');
  await writeFile(file, lines.join(''));
  return { script: 'read-requests.lua', args: [file] };
}
