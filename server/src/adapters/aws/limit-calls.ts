import { Fault } from '../../domain/errors.ts';

export type LimitCalls = <Result>(call: () => Promise<Result>) => Promise<Result>;

/**
 * At most so many calls at once; the others wait here, where waiting does not count against a
 * call's own timeouts as it would in the SDK. Beyond that many waiting ones it is too much.
 */
export function createLimitCalls(callsMax: number, waitingMax: number): LimitCalls {
  const waiting: (() => void)[] = [];
  let calls = 0;
  return async (call) => {
    if (calls >= callsMax) {
      if (waiting.length >= waitingMax) throw overloaded();
      await new Promise<void>((go) => waiting.push(go));
    } else calls += 1;
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next === undefined) calls -= 1;
      else next();
    }
  };
}

function overloaded(): Fault {
  return new Fault('OVERLOADED', 'Too many calls wait for DynamoDB.', { retryable: true });
}
