import type { Finding } from './finding.ts';
import { Lab } from './lab.ts';
import { PeakMemory } from './memory.ts';
import { readOptions } from './options.ts';
import { createReport, keepReport } from './report.ts';
import { provideTools } from './required-tools.ts';
import { scenarios } from './scenarios.ts';
import { judge } from './targets.ts';

let openLab: Lab | undefined;
let isInterrupted = false;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    isInterrupted = true;
    await openLab?.close();
    process.exit(130);
  });
}

process.exitCode = await main().catch((error: unknown) => {
  if (!isInterrupted) process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  return 1;
});

async function main(): Promise<number> {
  const { plan, scenarios: names, isComplete } = readOptions(process.argv.slice(2));
  const missing = provideTools();
  if (missing.length > 0) {
    process.stderr.write(`The bench needs ${missing.join(' and ')}: please install.\n`);
    return 1;
  }
  const memory = new PeakMemory();
  const findings: Finding[] = [];
  for (const name of names) {
    const lab = new Lab();
    openLab = lab;
    const say = (progress: string) => process.stderr.write(`${name}: ${progress}\n`);
    try {
      findings.push(...(await scenarios[name]({ lab, plan, memory, say })));
    } finally {
      await lab.close();
    }
  }
  findings.push(memory.finding());
  const report = createReport(plan, findings);
  process.stdout.write(`\n${report.text}\n`);
  if (isComplete) await keepReport(report);
  return findings.some((finding) => judge(finding) === 'invalid') ? 1 : 0;
}
