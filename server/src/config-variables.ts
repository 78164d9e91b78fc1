import { type Static, Type } from 'typebox';

/** Every variable that the product reads, with its limits; `docs/configuration.md` is made of it. */
export const variables = Type.Object({
  FAIRLINE_ENV: Type.Union([Type.Literal('development'), Type.Literal('production')], {
    default: 'development',
    description:
      '`production` refuses to start without JWT settings and turns every debug door off.',
  }),
  HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description:
      'Address to listen on. Development refuses one that is not loopback unless `FAIRLINE_DEV_REMOTE=true`.',
  }),
  PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0 takes any free one.',
  }),
  FAIRLINE_DEV_REMOTE: Type.Boolean({
    default: false,
    description: 'Lets development listen on an address that others can reach.',
  }),
  FAIRLINE_DATA_DIR: Type.String({
    default: './data',
    minLength: 1,
    description: 'Everything the embedded engine keeps; one process at a time.',
  }),
  FAIRLINE_ENGINE: Type.Union([Type.Literal('embedded'), Type.Literal('aws')], {
    default: 'embedded',
    description:
      'Where requests are kept and queued. `aws`: DynamoDB and SQS, found through the SDK’s own variables (`AWS_REGION`, `AWS_ENDPOINT_URL_DYNAMODB`, `AWS_ENDPOINT_URL_SQS`, …).',
  }),
  FAIRLINE_TABLE: Type.String({
    default: 'AsyncEventTable',
    pattern: '^[A-Za-z0-9_.-]{3,255}$',
    description: 'The DynamoDB table of the AWS engine.',
  }),
  FAIRLINE_QUEUE: Type.String({
    default: 'fairline-main',
    pattern: '^[A-Za-z0-9_-]{1,80}$',
    description: 'The SQS queue of the AWS engine.',
  }),
  FAIRLINE_DLQ: Type.String({
    default: 'fairline-dlq',
    pattern: '^[A-Za-z0-9_-]{1,80}$',
    description: 'The SQS queue that gets the dead letters of the AWS engine.',
  }),
  FAIRLINE_ROLES: Type.String({
    default: 'api,worker,payout,scheduler',
    pattern: '^(api|worker|payout|scheduler)(,(api|worker|payout|scheduler))*$',
    description: 'What this process runs, separated by commas.',
  }),
  FAIRLINE_GATE_THREADS: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 64,
      description:
        'Threads that answer presses and status calls beside the main one, which keeps the store; by default one for each CPU, at most 4. 0, which is all that one CPU or another system than Linux gets: the main thread answers everything.',
    }),
  ),
  FAIRLINE_DURABILITY: Type.Union([Type.Literal('flush'), Type.Literal('commit')], {
    default: 'flush',
    description: '`flush`: 202 only after fsync (group commit); `commit`: after commit.',
  }),
  FAIRLINE_VISIBILITY_SECONDS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 43200,
    description: 'How long a received message stays invisible to others.',
  }),
  FAIRLINE_RECEIVES_MAX: Type.Integer({
    default: 5,
    minimum: 1,
    maximum: 100,
    description: 'How often a message is delivered before it becomes a dead letter.',
  }),
  FAIRLINE_WORKER_CONCURRENCY: Type.Integer({
    default: 4,
    minimum: 1,
    maximum: 64,
    description: 'Batches handled side by side (of one event one at a time where order is kept).',
  }),
  FAIRLINE_WORKER_BATCH: Type.Integer({
    default: 500,
    minimum: 1,
    maximum: 1000,
    description: 'Messages a batch, at most.',
  }),
  FAIRLINE_WORKER_RATE_MAX: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    description: 'Messages handled a second, at most; 0 is no limit.',
  }),
  FAIRLINE_SETTLE_HOLD_MS: Type.Integer({
    default: 500,
    minimum: 0,
    maximum: 10_000,
    description:
      'On AWS: how old a place in the queue must be before it is settled, so that earlier ones, which SQS may deliver later, are known by then; 0 settles as it comes.',
  }),
  FAIRLINE_STATUS_LOG: Type.Union([Type.Literal('exceptions'), Type.Literal('all')], {
    default: 'exceptions',
    description:
      "`exceptions` logs what a request's own times cannot tell; `all` logs every transition.",
  }),
  FAIRLINE_JWT_SECRET: Type.Optional(
    Type.String({ description: 'HS256 secret of 32 bytes or more. Also as `..._FILE`.' }),
  ),
  FAIRLINE_JWKS_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'A JWKS with RS256, ES256 or EdDSA keys, instead of a secret; rotation is followed.',
    }),
  ),
  FAIRLINE_JWT_ISSUER: Type.Optional(
    Type.String({ minLength: 1, description: 'When set, the only issuer whose tokens count.' }),
  ),
  FAIRLINE_JWT_AUDIENCE: Type.Optional(
    Type.String({ minLength: 1, description: 'When set, the audience that tokens must name.' }),
  ),
  FAIRLINE_CORS_ORIGINS: Type.Optional(
    Type.String({
      pattern: '^https?://[^/,\\s]+(,https?://[^/,\\s]+)*$',
      description: 'Origins that may call from a browser, separated by commas.',
    }),
  ),
  FAIRLINE_TRUST_PROXY: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 10,
    description: 'How many proxies in front to believe about the caller’s address.',
  }),
  FAIRLINE_RATE_USER_MAX: Type.Integer({
    default: 100,
    minimum: 0,
    maximum: 1_000_000,
    description: 'Participant calls of one user in 10 seconds; 0 is off. Operators are exempt.',
  }),
  FAIRLINE_RATE_ADDRESS_MAX: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    description: 'Participant calls from one address in 10 seconds; 0 is off.',
  }),
  FAIRLINE_METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65535,
      description:
        'Serves `/metrics` on this port instead of the main one. In production without it `/metrics` needs an operator.',
    }),
  ),
});

export type Variables = Static<typeof variables>;
export type VariableName = keyof Variables;

/** Those that may also be given as a file, by the same name with `_FILE`. */
export const secretNames: readonly VariableName[] = ['FAIRLINE_JWT_SECRET'];
