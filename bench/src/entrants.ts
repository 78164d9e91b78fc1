import type { Lab } from './lab.ts';
import { writeTokens } from './tokens.ts';
import type { Load } from './wrk.ts';

export const identities = ['debug', 'HS256'] as const;
export type Identity = (typeof identities)[number];

/** More entrants a second than any server here admits, so that a window never runs dry. */
const entrantsPerSecond = 40_000;

/** The entrants of one window: the load that lets them all participate in an event. */
export type Entrants = (eventId: string) => Load;

/** The source of entrants who have never been seen: each call makes new ones. */
export function createEntrantSource(lab: Lab, identity: Identity) {
  let nextUser = 1;

  return async (durationSeconds: number): Promise<Entrants> => {
    const count = durationSeconds * entrantsPerSecond;
    const firstUser = nextUser;
    nextUser += count;
    if (identity === 'debug') return debugUsers(firstUser, count);
    const file = lab.newPath('tokens.txt');
    await writeTokens(file, firstUser, count);
    return (eventId) => ({ script: 'participate-with-tokens.lua', args: [eventId, file] });
  };
}

export function debugUsers(firstUser: number, count: number): Entrants {
  const lastUser = firstUser + count - 1;
  return (eventId) => ({
    script: 'participate-as-debug-users.lua',
    args: [eventId, String(firstUser), String(lastUser)],
  });
}
