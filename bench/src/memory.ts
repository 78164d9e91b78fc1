import { readFile } from 'node:fs/promises';
import type { Finding } from './finding.ts';
import type { StartedProcess } from './started-process.ts';

const sampleEveryMs = 500;

/** The highest anonymous memory that any Fairline process of the run was seen with. */
export class PeakMemory {
  private rssAnonMb: number | undefined;

  watch(server: StartedProcess): void {
    const timer = setInterval(() => void this.sample(server.pid), sampleEveryMs);
    void server.ended.finally(() => clearInterval(timer));
  }

  finding(): Finding {
    return {
      id: 'memory/rss-anon',
      name: 'most anonymous memory of the Fairline process',
      unit: 'MB',
      value: this.rssAnonMb ?? Number.NaN,
      rounds: [],
      sides: [],
    };
  }

  private async sample(pid: number): Promise<void> {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const rssAnonKb = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1];
    if (!rssAnonKb) return;
    this.rssAnonMb = Math.max(this.rssAnonMb ?? 0, Number(rssAnonKb) / 1024);
  }
}
