import { type Finding, isValid } from './finding.ts';

export type Verdict = 'reached' | 'not reached' | 'invalid' | 'no target';

type Target = { readonly atLeast: number } | { readonly below: number };

const targets: Readonly<Record<string, Target>> = {
  'ingest-debug/empty': { atLeast: 0.45 },
  'ingest-debug/peer': { atLeast: 2.5 },
  'ingest-hs256/empty': { atLeast: 0.3 },
  'ingest-hs256/peer': { atLeast: 2.5 },
  'end-to-end/peer': { atLeast: 2.5 },
  'status-reads-debug/empty': { atLeast: 0.7 },
  'growth/rate': { atLeast: 0.8 },
  'memory/rss-anon': { below: 250 },
};

export function judge(finding: Finding): Verdict {
  if (!isValid(finding)) return 'invalid';
  const target = targets[finding.id];
  if (!target) return 'no target';
  const isReached =
    'atLeast' in target ? finding.value >= target.atLeast : finding.value < target.below;
  return isReached ? 'reached' : 'not reached';
}

export function describeTarget(finding: Finding): string {
  const target = targets[finding.id];
  if (!target) return '';
  return 'atLeast' in target ? `>= ${target.atLeast}` : `< ${target.below}`;
}
