import { startEmptyServer } from '../empty-server.ts';
import { createEntrantSource, type Identity } from '../entrants.ts';
import { startFairlineServer } from '../fairline-server.ts';
import { compare } from '../finding.ts';
import { measureIngestWindow } from '../ingest-window.ts';
import { startPeerServer } from '../peer-server.ts';
import { runRounds } from '../rounds.ts';
import type { Scenario } from '../scenario.ts';
import { getEmpty, runLoad } from '../wrk.ts';

/** Durable admissions a second, with the worker running, against the empty route and the peer. */
export function ingest(identity: Identity): Scenario {
  return async (bench) => {
    const { lab, memory } = bench;
    const empty = await startEmptyServer(lab);
    const fairline = await startFairlineServer(lab, memory);
    const peer = await startPeerServer(lab);
    const newEntrants = createEntrantSource(lab, identity);

    const rounds = await runRounds(bench, async ({ name, durationSeconds }) => {
      const entrants = await newEntrants(durationSeconds);
      return {
        empty: await runLoad(lab, empty, getEmpty, durationSeconds),
        fairline: await measureIngestWindow(lab, fairline, name, entrants, durationSeconds),
        peer: await measureIngestWindow(lab, peer, name, entrants, durationSeconds),
      };
    });

    const id = `ingest-${identity.toLowerCase()}`;
    const name = `ingest (${identity} identity)`;
    const ours = [`${name}: Fairline`, rounds.map((round) => round.fairline)] as const;
    const emptyRoute = [`${name}: empty route`, rounds.map((round) => round.empty)] as const;
    const theirs = [`${name}: peer`, rounds.map((round) => round.peer)] as const;
    return [
      compare({ id: `${id}/empty`, name: `${name} / empty route` }, ours, emptyRoute),
      compare({ id: `${id}/peer`, name: `${name} / peer` }, ours, theirs),
    ];
  };
}
