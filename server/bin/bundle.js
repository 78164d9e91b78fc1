import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/**
 * The server's sources as one JavaScript file for each kind of thread, made anew when a source is
 * newer; about 0.1 s. A loader that compiles while importing would stay in memory for as long as
 * it runs.
 * They lie as deep as the entry points do, so that paths relative to a module stay true.
 * @returns {string} the path of the main one
 */
export function bundle() {
  if (existsSync(sources) && isOutdated()) {
    mkdirSync(folder, { recursive: true });
    const draft = `${folder}.${process.pid}.tmp`;
    buildSync({
      entryPoints: entryPoints.map((name) => join(sources, 'main', `${name}.ts`)),
      outdir: draft,
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
    for (const name of entryPoints) renameSync(join(draft, `${name}.js`), fileOf(name));
    rmdirSync(draft);
  }
  return fileOf('cli');
}

function isOutdated() {
  if (!existsSync(fileOf('cli'))) return true;
  const builtAt = statSync(fileOf('cli')).mtimeMs;
  const entries = readdirSync(sources, { recursive: true, withFileTypes: true });
  return entries.some((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs > builtAt);
}

/** @param {string} name */
function fileOf(name) {
  return join(folder, `${name}.js`);
}

const server = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(server, 'src');
const folder = join(server, 'dist/main');
// The last one is what tells how old the others are.
const entryPoints = ['gate-thread', 'cli'];
