import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { availableParallelism } from 'node:os';
import { Value } from 'typebox/value';
import { secretNames, type VariableName, type Variables, variables } from './config-variables.ts';

export type Role = 'api' | 'worker' | 'payout' | 'scheduler';

export type JwtKeys =
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'jwks'; readonly url: string }
  /** Development without settings: a secret of its own, kept in the data directory. */
  | { readonly kind: 'development' };

export interface Config {
  readonly isDevelopment: boolean;
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  readonly engine: 'embedded' | 'aws';
  readonly aws: {
    readonly table: string;
    readonly queue: string;
    readonly deadLetterQueue: string;
  };
  readonly roles: ReadonlySet<Role>;
  readonly gateThreads: number;
  readonly durability: 'flush' | 'commit';
  readonly visibilityMs: number;
  readonly receivesMax: number;
  readonly worker: {
    readonly concurrency: number;
    readonly batchMax: number;
    readonly ratePerSecond: number;
    readonly settleHoldMs: number;
  };
  readonly statusLog: 'exceptions' | 'all';
  readonly jwtKeys: JwtKeys;
  readonly jwtIssuer: string | undefined;
  readonly jwtAudience: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: number;
  readonly rates: { readonly userMax: number; readonly addressMax: number };
  readonly metricsPort: number | undefined;
}

export class BadConfig extends Error {
  constructor(problems: readonly string[]) {
    super(['The configuration is not valid:', ...problems.map((line) => `  ${line}`)].join('\n'));
    this.name = 'BadConfig';
  }
}

/** Reads the environment once and names everything that is wrong with it. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const given = collectGiven(environment, problems);
  const values = Value.Default(variables, Value.Convert(variables, given)) as Variables;
  for (const [name, schema] of Object.entries(variables.properties)) {
    const value = values[name as VariableName];
    if (value === undefined || Value.Check(schema, value)) continue;
    problems.push(`${name}: ${limitOf(name as VariableName)}`);
  }
  if (problems.length === 0) problems.push(...contradictions(values));
  if (problems.length > 0) throw new BadConfig(problems);
  return toConfig(values);
}

/** Names that look like ours and are not: most likely misspelt. */
export function unknownVariables(environment: NodeJS.ProcessEnv = process.env): string[] {
  const known = new Set<string>([
    ...Object.keys(variables.properties),
    ...secretNames.map((name) => `${name}_FILE`),
  ]);
  return Object.keys(environment).filter(
    (name) => name.startsWith('FAIRLINE_') && !known.has(name),
  );
}

function collectGiven(environment: NodeJS.ProcessEnv, problems: string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(variables.properties)) {
    const value = environment[name];
    if (value !== undefined && value !== '') given[name] = value;
  }
  for (const name of secretNames) {
    const path = environment[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    try {
      given[name] = readFileSync(path, 'utf8').trim();
    } catch (error) {
      problems.push(`${name}_FILE: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return given;
}

function contradictions(values: Variables): string[] {
  const problems: string[] = [];
  const { FAIRLINE_JWT_SECRET: secret, FAIRLINE_JWKS_URL: jwksUrl } = values;
  if (secret !== undefined && Buffer.byteLength(secret) < secretBytesMin) {
    problems.push(`FAIRLINE_JWT_SECRET: must have at least ${secretBytesMin} bytes`);
  }
  if (secret !== undefined && jwksUrl !== undefined) {
    problems.push('FAIRLINE_JWKS_URL: cannot be combined with FAIRLINE_JWT_SECRET');
  }
  if (values.FAIRLINE_ENV === 'production') {
    if (secret === undefined && jwksUrl === undefined) {
      problems.push(
        'FAIRLINE_JWT_SECRET or FAIRLINE_JWKS_URL: one of them is needed in production',
      );
    }
    if (jwksUrl?.startsWith('http:')) {
      problems.push('FAIRLINE_JWKS_URL: must be https in production');
    }
  } else if (!values.FAIRLINE_DEV_REMOTE && !isLoopback(values.HOST)) {
    problems.push('HOST: development listens on loopback only, unless FAIRLINE_DEV_REMOTE=true');
  }
  if (values.FAIRLINE_DLQ === values.FAIRLINE_QUEUE) {
    problems.push('FAIRLINE_DLQ: must differ from FAIRLINE_QUEUE');
  }
  if (values.FAIRLINE_METRICS_PORT === values.PORT) {
    problems.push('FAIRLINE_METRICS_PORT: must differ from PORT');
  }
  return problems;
}

function toConfig(values: Variables): Config {
  return Object.freeze({
    isDevelopment: values.FAIRLINE_ENV === 'development',
    host: values.HOST,
    port: values.PORT,
    dataDirectory: values.FAIRLINE_DATA_DIR,
    engine: values.FAIRLINE_ENGINE,
    aws: {
      table: values.FAIRLINE_TABLE,
      queue: values.FAIRLINE_QUEUE,
      deadLetterQueue: values.FAIRLINE_DLQ,
    },
    roles: new Set(values.FAIRLINE_ROLES.split(',') as Role[]),
    gateThreads: gateThreadsOf(values),
    durability: values.FAIRLINE_DURABILITY,
    visibilityMs: values.FAIRLINE_VISIBILITY_SECONDS * 1000,
    receivesMax: values.FAIRLINE_RECEIVES_MAX,
    worker: {
      concurrency: values.FAIRLINE_WORKER_CONCURRENCY,
      batchMax: values.FAIRLINE_WORKER_BATCH,
      ratePerSecond: values.FAIRLINE_WORKER_RATE_MAX,
      settleHoldMs: values.FAIRLINE_SETTLE_HOLD_MS,
    },
    statusLog: values.FAIRLINE_STATUS_LOG,
    jwtKeys: jwtKeysOf(values),
    jwtIssuer: values.FAIRLINE_JWT_ISSUER,
    jwtAudience: values.FAIRLINE_JWT_AUDIENCE,
    corsOrigins: values.FAIRLINE_CORS_ORIGINS?.split(',') ?? [],
    trustedProxies: values.FAIRLINE_TRUST_PROXY,
    rates: {
      userMax: values.FAIRLINE_RATE_USER_MAX,
      addressMax: values.FAIRLINE_RATE_ADDRESS_MAX,
    },
    metricsPort: values.FAIRLINE_METRICS_PORT,
  });
}

function jwtKeysOf({ FAIRLINE_JWT_SECRET: secret, FAIRLINE_JWKS_URL: url }: Variables): JwtKeys {
  if (secret !== undefined) return { kind: 'secret', secret };
  return url === undefined ? { kind: 'development' } : { kind: 'jwks', url };
}

/** Sharing a listening socket is possible on Linux only; on AWS more processes do the same. */
function gateThreadsOf(values: Variables): number {
  const { FAIRLINE_GATE_THREADS: asked, FAIRLINE_ROLES: roles, FAIRLINE_ENGINE: engine } = values;
  if (process.platform !== 'linux' || engine === 'aws' || !roles.includes('api')) return 0;
  const cpus = availableParallelism();
  return asked ?? (cpus === 1 ? 0 : Math.min(cpus, gateThreadsByDefault));
}

/** What the variable may be, in words. */
export function limitOf(name: VariableName): string {
  const schema: Limits = variables.properties[name];
  if (schema.anyOf !== undefined) {
    return `must be one of ${schema.anyOf.map((choice) => choice.const).join(', ')}`;
  }
  if (schema.type === 'boolean') return 'must be true or false';
  if (schema.type === 'integer') {
    return `must be a whole number from ${schema.minimum} to ${schema.maximum}`;
  }
  return schema.pattern === undefined ? 'must not be empty' : `must match ${schema.pattern}`;
}

const gateThreadsByDefault = 4;

interface Limits {
  readonly type?: string;
  readonly anyOf?: readonly { readonly const?: string }[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

const secretBytesMin = 32;
