import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Each is the name of a program and of the Debian package that holds it. */
const tools = ['wrk', 'redis-server'];

/** Installs what is missing where that is possible, and names what is still missing. */
export function provideTools(): string[] {
  const missing = tools.filter(isMissing);
  const isRootOnDebian = process.getuid?.() === 0 && existsSync('/etc/debian_version');
  if (missing.length > 0 && isRootOnDebian) {
    spawnSync('apt-get', ['install', '-y', ...missing], { stdio: 'ignore' });
  }
  return missing.filter(isMissing);
}

function isMissing(tool: string): boolean {
  return spawnSync(tool, ['--version'], { stdio: 'ignore' }).error !== undefined;
}
