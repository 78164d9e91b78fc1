import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/**
 * The server's sources as one JavaScript file for each kind of thread and chunks for what they
 * share or import when it is needed, made anew when a source is newer; about 0.1 s. A loader that
 * compiles while importing would stay in memory for as long as it runs.
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
      // Without it a package of one dynamically imported module is loaded at every start.
      splitting: true,
      chunkNames: '[name]-[hash]',
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'error',
    });
    moveIn(draft);
  }
  return fileOf('cli');
}

/**
 * Atomic: several starts from one checkout each write a draft of their own. A chunk's name tells
 * its content, so it can lie there before the entry point that imports it.
 * @param {string} draft
 */
function moveIn(draft) {
  const entries = entryPoints.map((name) => `${name}.js`);
  const chunks = readdirSync(draft).filter((file) => !entries.includes(file));
  for (const file of [...chunks, ...entries]) renameSync(join(draft, file), join(folder, file));
  rmdirSync(draft);
  removeOldChunks([...chunks, ...entries]);
}

/**
 * Those of earlier builds, but not what was made just now: another start that met other sources
 * may be about to import it.
 * @param {string[]} present
 */
function removeOldChunks(present) {
  const oldest = Date.now() - startMsMax;
  for (const file of readdirSync(folder).filter((name) => !present.includes(name))) {
    const path = join(folder, file);
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (madeAt !== undefined && madeAt < oldest) rmSync(path, { force: true });
  }
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
const startMsMax = 60_000;
