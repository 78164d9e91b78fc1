import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, StartedProcess } from './started-process.ts';

/** The processes and files of one scenario: all of them are gone when the lab is closed. */
export class Lab {
  private readonly directory = mkdtempSync(join(tmpdir(), 'fairline-bench-'));
  private readonly processes: StartedProcess[] = [];
  private pathCount = 0;
  private isClosed = false;

  constructor() {
    process.once('exit', this.killAll);
  }

  start(command: Command): StartedProcess {
    if (this.isClosed) throw new Error(`${command.name} is not started: the lab is closed`);
    const started = new StartedProcess(command, this.newPath(`${command.name}.log`));
    this.processes.push(started);
    return started;
  }

  newPath(name: string): string {
    this.pathCount += 1;
    return join(this.directory, `${this.pathCount}-${name}`);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.processes.map((started) => started.stop()));
    process.off('exit', this.killAll);
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Only a synchronous signal still gets out when the bench is already exiting. */
  private readonly killAll = (): void => {
    for (const started of this.processes) started.signal('SIGKILL');
  };
}
