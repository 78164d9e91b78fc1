import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(src, path), 'utf8') }));

/** What each part may import, besides itself and packages. */
const allowed: Record<string, readonly string[]> = {
  domain: [],
  ports: ['domain'],
  participation: ['domain', 'ports'],
  operations: ['domain', 'ports', 'participation'],
  worker: ['domain', 'ports', 'participation', 'operations'],
  http: ['domain', 'ports', 'participation', 'operations'],
  adapters: ['domain', 'ports'],
  main: ['domain', 'ports', 'participation', 'operations', 'worker', 'http', 'adapters', 'config'],
  config: [],
};

describe('the shape of the server', () => {
  test('imports point one way', () => {
    const wrong = files.flatMap(({ path, text }) =>
      importsOf(path, text)
        .filter((target) => !mayImport(partOf(path), partOf(target)))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('one engine does not know another', () => {
    const wrong = files.flatMap(({ path, text }) => {
      const own = adapterOf(path);
      return importsOf(path, text)
        .filter((target) => {
          const other = adapterOf(target);
          return own !== undefined && other !== undefined && other !== own && other !== 'system';
        })
        .map((target) => `${path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('time, chance, ids and timers come from adapters/system only', () => {
    const ambient =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\brandomFillSync\b|(?<!\.)\bset(Timeout|Interval|Immediate)\b|\bperformance\.now\b|\bv[147]\(\)/;
    expect(pathsMatching(ambient, 'adapters/system/')).toEqual([]);
  });

  test('only the configuration reads the environment', () => {
    expect(pathsMatching(/\bprocess\.env\b/, 'config.ts')).toEqual([]);
  });

  test('the domain and the use cases know no framework', () => {
    const framework = /from '(fastify|@fastify|lmdb|pino|@opentelemetry|commander|fast-jwt)/;
    const core = /^(domain|ports|participation|operations|worker)\//;
    const wrong = files.filter(({ path, text }) => core.test(path) && framework.test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('a port has at most seven methods', () => {
    const wrong = files
      .filter(({ path }) => path.startsWith('ports/') && path !== 'ports/engine.ts')
      .flatMap(({ path, text }) =>
        [...text.matchAll(/export interface (\w+)[^{]*\{([\s\S]*?)\n\}/g)]
          .filter(([, , body = '']) => (body.match(/^ {2}\w+(<[^>]*>)?\(/gm) ?? []).length > 7)
          .map(([, name]) => `${path}: ${name}`),
      );
    expect(wrong).toEqual([]);
  });
});

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) =>
    relative(src, normalize(join(src, dirname(path), target))),
  );
}

function partOf(path: string): string {
  const [first = ''] = path.split('/');
  return first.startsWith('config') ? 'config' : first;
}

function mayImport(from: string, to: string): boolean {
  return from === to || (allowed[from]?.includes(to) ?? false);
}

function adapterOf(path: string): string | undefined {
  const [part, adapter] = path.split('/');
  return part === 'adapters' ? adapter : undefined;
}

function pathsMatching(pattern: RegExp, exceptUnder: string): string[] {
  return files
    .filter(({ path, text }) => !path.startsWith(exceptUnder) && pattern.test(text))
    .map(({ path }) => path);
}
