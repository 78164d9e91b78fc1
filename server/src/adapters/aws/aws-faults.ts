import { Fault } from '../../domain/errors.ts';

/**
 * Runs a call and turns what the SDK throws into a fault of ours. A condition that was not met is
 * no fault: callers catch that by its name before it gets here.
 */
export async function translated<Result>(service: string, call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw isOutcome(error) ? error : faultOf(service, error);
  }
}

export function isConditionFailed(error: unknown): error is ErrorOfSdk {
  return nameOf(error) === 'ConditionalCheckFailedException';
}

export function isTransactionCancelled(error: unknown): error is CancelledTransaction {
  return nameOf(error) === 'TransactionCanceledException';
}

export interface CancelledTransaction extends Error {
  readonly CancellationReasons?: readonly {
    readonly Code?: string;
    readonly Item?: Record<string, unknown>;
  }[];
}

interface ErrorOfSdk extends Error {
  readonly Item?: Record<string, unknown>;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $retryable?: object;
  readonly code?: string;
}

function isOutcome(error: unknown): boolean {
  return error instanceof Fault || isConditionFailed(error) || isTransactionCancelled(error);
}

function faultOf(service: string, error: unknown): Fault {
  const name = nameOf(error);
  const found = kinds.find(({ names }) => names.test(name) || names.test(codeOf(error)));
  const { what, retryable } = found ?? otherwise(error);
  const code = retryable ? 'UNAVAILABLE' : 'INTERNAL';
  return new Fault(code, `${service} ${what} (${name}).`, { retryable, cause: error });
}

/** In the order of how specific they are. */
const kinds: readonly {
  readonly names: RegExp;
  readonly what: string;
  readonly retryable: boolean;
}[] = [
  {
    names: /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests|OverLimit/,
    what: 'is throttling',
    retryable: true,
  },
  {
    names: /TransactionConflict|TransactionInProgress/,
    what: 'met a conflict',
    retryable: true,
  },
  {
    names: /ExpiredToken|CredentialsProvider|UnrecognizedClient|InvalidClientToken|AccessDenied/,
    what: 'refused the credentials',
    retryable: true,
  },
  {
    names: /ResourceNotFound|QueueDoesNotExist|NonExistentQueue/,
    what: 'does not know the table or queue',
    retryable: true,
  },
  {
    names: /Timeout|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|NetworkingError|socket hang up/,
    what: 'could not be reached',
    retryable: true,
  },
];

function otherwise(error: unknown): { readonly what: string; readonly retryable: boolean } {
  const status = (error as ErrorOfSdk).$metadata?.httpStatusCode ?? 0;
  return status >= 500
    ? { what: 'failed', retryable: true }
    : { what: 'refused the call', retryable: false };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
