import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/**
 * The server's sources as one JavaScript file, made anew when a source is newer; about 0.1 s. A
 * loader that compiles while importing would stay in memory for as long as it runs.
 * It lies as deep as the entry point does, so that paths relative to a module stay true.
 * @returns {string} the file's path
 */
export function bundle() {
  if (existsSync(sources) && isOutdated()) {
    mkdirSync(dirname(target), { recursive: true });
    const draft = `${target}.${process.pid}.tmp`;
    buildSync({
      entryPoints: [join(sources, 'main/cli.ts')],
      outfile: draft,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'error',
    });
    // Atomic: several starts from one checkout each write a draft of their own.
    renameSync(draft, target);
  }
  return target;
}

function isOutdated() {
  if (!existsSync(target)) return true;
  const builtAt = statSync(target).mtimeMs;
  const entries = readdirSync(sources, { recursive: true, withFileTypes: true });
  return entries.some((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs > builtAt);
}

const server = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(server, 'src');
const target = join(server, 'dist/main/cli.js');
