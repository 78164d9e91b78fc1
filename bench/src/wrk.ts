import type { Measurement } from './finding.ts';
import type { Lab } from './lab.ts';
import { loadDirectory } from './paths.ts';

/** A script of load/ with its arguments. */
export interface Load {
  readonly script: string;
  readonly args: readonly string[];
}

export const getEmpty: Load = { script: 'get-empty.lua', args: [] };

const connections = 256;

/** Runs the load for the time given, or until its script has nothing left to send. */
export async function runLoad(
  lab: Lab,
  url: string,
  load: Load,
  durationSeconds: number,
): Promise<Measurement> {
  const wrk = lab.start({
    name: 'wrk',
    file: 'wrk',
    args: [
      ...['--threads', '1', '--connections', String(connections), '--timeout', '10s'],
      ...['--duration', `${durationSeconds}s`, '--script', load.script, url, '--', ...load.args],
    ],
    cwd: loadDirectory,
    isTool: true,
  });
  let output = '';
  wrk.stdout?.on('data', (chunk: Buffer) => {
    output += chunk;
    if (chunk.includes('ENDED EARLY')) wrk.signal('SIGINT');
  });
  if ((await wrk.ended) !== 0) throw wrk.failure('failed');
  return parseResult(output);
}

interface WrkResult {
  readonly answers: number;
  readonly durationMicros: number;
  readonly statusErrors: number;
  readonly socketErrors: number;
  readonly p50Micros: number;
  readonly p99Micros: number;
}

function parseResult(output: string): Measurement {
  const line = /^RESULT (.+)$/m.exec(output)?.[1];
  if (!line) throw new Error(`wrk reported no result:\n${output}`);
  const result: WrkResult = JSON.parse(line);
  return {
    answers: result.answers,
    ratePerSecond: (result.answers / result.durationMicros) * 1_000_000,
    p50Ms: result.p50Micros / 1000,
    p99Ms: result.p99Micros / 1000,
    errors: result.statusErrors + result.socketErrors,
  };
}
