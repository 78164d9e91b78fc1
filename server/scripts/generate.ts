import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configurationPage } from './configuration-page.ts';
import { failureModesPage } from './failure-modes-page.ts';
import { openApiDocument } from './open-api-document.ts';

/** Writes the files that are made from the code, or with --check only says which are out of date. */
const repository = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'fairline-generate-'));

try {
  const generated = {
    'server/openapi.json': await openApiDocument(scratch),
    'docs/configuration.md': configurationPage(),
    'docs/failure-modes.md': failureModesPage(join(repository, 'docs/failure-modes.md')),
  };
  const outdated = Object.entries(generated).filter(([path, text]) => {
    const file = join(repository, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
  if (process.argv.includes('--check')) {
    for (const [path] of outdated) {
      process.stderr.write(`${path} is out of date: run npm run generate.\n`);
    }
    process.exitCode = outdated.length === 0 ? 0 : 1;
  } else {
    for (const [path, text] of outdated) writeFileSync(join(repository, path), text);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
