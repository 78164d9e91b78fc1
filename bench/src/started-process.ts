import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Command {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A tool's output is piped to the bench; a server's output goes to its log file. */
  readonly isTool?: boolean;
}

export class StartedProcess {
  readonly pid: number;
  readonly stdout: Readable | null;
  /** The exit code, or null when a signal ended the process. */
  readonly ended: Promise<number | null>;
  private readonly name: string;
  private readonly child: ChildProcess;
  private readonly logFile: string;
  private hasEnded = false;
  private isStopping = false;

  constructor(command: Command, logFile: string) {
    const { PATH = '' } = process.env;
    const log = openSync(logFile, 'w');
    this.child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: { PATH, NODE_ENV: 'production', ...command.env },
      stdio: ['ignore', command.isTool ? 'pipe' : log, log],
    });
    closeSync(log);
    this.name = command.name;
    this.logFile = logFile;
    this.stdout = this.child.stdout;
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        this.hasEnded = true;
        if (!command.isTool && !this.isStopping) this.reportDeath(code ?? signal);
        resolve(code);
      });
    });
    this.pid = this.child.pid ?? 0;
    if (this.pid === 0) {
      this.child.on('error', () => {});
      throw new Error(`${command.file} could not be started`);
    }
  }

  async waitUntilReady(isReady: () => Promise<boolean>, limitSeconds = 30): Promise<void> {
    const deadline = Date.now() + limitSeconds * 1000;
    while (!(await isReady().catch(() => false))) {
      if (this.hasEnded) throw this.failure('ended before it was ready');
      if (Date.now() > deadline) throw this.failure(`was not ready in ${limitSeconds} s`);
      await sleep(50);
    }
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.hasEnded) this.child.kill(signal);
  }

  async stop(limitSeconds = 10): Promise<void> {
    this.isStopping = true;
    this.signal('SIGTERM');
    const patience = setTimeout(() => this.signal('SIGKILL'), limitSeconds * 1000);
    await this.ended;
    clearTimeout(patience);
  }

  failure(what: string): Error {
    const lastLines = readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-20);
    return new Error(`${this.name} ${what}\n${lastLines.join('\n')}`);
  }

  /** Whoever talks to a dead server sees only a refused connection: this names the cause. */
  private reportDeath(cause: number | string | null): void {
    process.stderr.write(`${this.failure(`ended unexpectedly with ${cause}`).message}\n`);
  }
}
