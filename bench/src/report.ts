import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Finding, Side } from './finding.ts';
import { resultsDirectory } from './paths.ts';
import type { Plan } from './plan.ts';
import { describeTarget, judge } from './targets.ts';
import { formatTable } from './text-table.ts';

export interface Report {
  readonly text: string;
  readonly data: string;
}

export function createReport(plan: Plan, findings: readonly Finding[]): Report {
  const setting = {
    date: new Date().toISOString(),
    mode: plan.mode,
    node: process.version,
    cpus: availableParallelism(),
  };
  const judged = findings.map((finding) => ({
    ...finding,
    target: describeTarget(finding),
    verdict: judge(finding),
  }));
  const text = [
    '# Fairline benchmark',
    `${setting.date}, ${setting.mode} run, Node ${setting.node}, ${setting.cpus} CPUs`,
    formatTable(['measure', 'value', 'target', 'verdict', 'rounds'], judged.map(toLine)),
    formatTable(
      ['measured', 'per second', 'p50 ms', 'p99 ms', 'errors', 'left queued'],
      distinctSides(findings).map(toSideLine),
    ),
  ].join('\n\n');
  return { text, data: JSON.stringify({ ...setting, findings: judged }, null, 2) };
}

export async function keepReport({ text, data }: Report): Promise<void> {
  await mkdir(resultsDirectory, { recursive: true });
  await writeFile(join(resultsDirectory, 'latest.md'), `${text}\n`);
  await writeFile(join(resultsDirectory, 'latest.json'), `${data}\n`);
}

function toLine(finding: Finding & { target: string; verdict: string }): string[] {
  return [
    finding.name,
    formatValue(finding),
    finding.target,
    finding.verdict,
    finding.rounds.map((ratio) => ratio.toFixed(2)).join(' '),
  ];
}

/** Fairline's rate stands in two ratios where it is compared with two parties. */
function distinctSides(findings: readonly Finding[]): Side[] {
  const sides = findings.flatMap((finding) => finding.sides);
  return [...new Map(sides.map((side) => [side.name, side])).values()];
}

function toSideLine(side: Side): string[] {
  return [
    side.name,
    Math.round(side.ratePerSecond).toString(),
    side.p50Ms.toFixed(1),
    side.p99Ms.toFixed(1),
    side.errors.toString(),
    side.leftQueued?.toString() ?? '',
  ];
}

function formatValue({ unit, value }: Finding): string {
  return unit === 'ratio' ? value.toFixed(3) : `${Math.round(value)} ${unit}`;
}
