import type { Scenario } from './scenario.ts';
import { endToEnd } from './scenarios/end-to-end.ts';
import { growth } from './scenarios/growth.ts';
import { ingest } from './scenarios/ingest.ts';
import { statusReads } from './scenarios/status-reads.ts';

export const scenarioNames = [
  'ingest-debug',
  'ingest-hs256',
  'end-to-end',
  'status-reads',
  'growth',
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  'ingest-debug': ingest('debug'),
  'ingest-hs256': ingest('HS256'),
  'end-to-end': endToEnd,
  'status-reads': statusReads,
  growth,
};
