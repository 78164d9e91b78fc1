import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { createSigner } from 'fast-jwt';
import pc from 'picocolors';
import { BadConfig, readConfig } from '../config.ts';
import { parseUserId, type UserId } from '../domain/ids.ts';
import { signingSecret } from './create-token-verifier.ts';
import type { ProvisionAwsOptions } from './provision-aws.ts';
import { serve } from './serve.ts';

/** Runs one command and resolves to the exit code; `serve` resolves when it has stopped. */
export async function runCli(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExitCode;
    process.stderr.write(`${pc.red('fairline:')} ${messageOf(error)}\n`);
    return error instanceof BadConfig ? usageExitCode : 1;
  }
}

function createProgram(): Command {
  const program = new Command('fairline')
    .description('Runs high-traffic promotional events fairly, and proves it.')
    .exitOverride()
    .showHelpAfterError('(see --help)');
  program
    .command('serve')
    .description('serve the product; docs/configuration.md lists the variables it reads')
    .exitOverride()
    .action(serveUntilStopped);
  program
    .command('token')
    .description('print a JWT signed with the secret of this configuration, for development')
    .requiredOption('-u, --user <id>', 'whose token it is', toUserId)
    .option('--admin', 'an operator’s token', false)
    .option('--expires-in <seconds>', 'how long it is valid', toSeconds, 3600)
    .option('--json', 'print a JSON object', false)
    .exitOverride()
    .action(printToken);
  program
    .command('aws')
    .description('prepare what the engine on AWS needs')
    .exitOverride()
    .command('provision')
    .description('create the table and the queues that are missing; what is there stays as it is')
    .option('--dry-run', 'only say what would be done', false)
    .option('--json', 'print a JSON object', false)
    .exitOverride()
    .action(provisionAws);
  return program;
}

async function serveUntilStopped(): Promise<void> {
  const config = readConfig();
  keepHeapsSmall();
  const stopping = waitForStopSignal();
  const server = await serve(config);
  process.stdout.write(
    process.stdout.isTTY
      ? `\n  ${pc.bold('Fairline')} is ready: ${pc.cyan(server.address)}\n  API reference: ${pc.cyan(`${server.address}/docs`)}\n  Stop with Ctrl-C.\n\n`
      : `Fairline is ready: ${server.address} (API reference: ${server.address}/docs)\n`,
  );
  await stopping;
  await server.stop();
}

/** Left alone, V8 lets what a spike leaves behind grow to several times of what is alive. */
function keepHeapsSmall(): void {
  setFlagsFromString('--heap-growing-percent=20');
}

function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}

/** The AWS SDK takes its time to load: only this command pays for it. */
async function provisionAws(options: ProvisionAwsOptions): Promise<void> {
  const command = await import('./provision-aws.ts');
  await command.provisionAws(options);
}

interface TokenOptions {
  readonly user: UserId;
  readonly admin: boolean;
  readonly expiresIn: number;
  readonly json: boolean;
}

function printToken({ user, admin, expiresIn, json }: TokenOptions): void {
  const config = readConfig();
  if (config.jwtKeys.kind === 'jwks') {
    throw new BadConfig(['FAIRLINE_JWKS_URL: tokens of a key set are signed by its owner only']);
  }
  const sign = createSigner({
    key: signingSecret(config),
    algorithm: 'HS256',
    expiresIn: expiresIn * 1000,
    ...(config.jwtIssuer === undefined ? {} : { iss: config.jwtIssuer }),
    ...(config.jwtAudience === undefined ? {} : { aud: config.jwtAudience }),
  });
  const token = sign({ sub: user, ...(admin ? { role: 'admin' } : {}) });
  process.stdout.write(json ? `${JSON.stringify({ token })}\n` : `${token}\n`);
}

function toUserId(text: string): UserId {
  const userId = parseUserId(text);
  if (userId !== undefined) return userId;
  throw new InvalidArgumentError('1 to 128 printable characters without "#", "/" or space.');
}

function toSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 31_536_000) return seconds;
  throw new InvalidArgumentError('A whole number of seconds, at most a year.');
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}. Another process listens there; set PORT (or FAIRLINE_METRICS_PORT) to a free one.`;
  }
  return error.message;
}

const usageExitCode = 2;
