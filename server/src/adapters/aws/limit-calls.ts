import { Fault } from '../../domain/errors.ts';

export interface LimitCalls {
  <Result>(call: () => Promise<Result>): Promise<Result>;
  /** The same for a call that others wait for: it goes before those that wait. */
  urgent<Result>(call: () => Promise<Result>): Promise<Result>;
}

/**
 * At most so many calls at once; the others wait here, where waiting does not count against a
 * call's own timeouts as it would in the SDK. Beyond that many waiting ones it is too much.
 */
export function createLimitCalls(callsMax: number, waitingMax: number): LimitCalls {
  const waiting: Waiting = [];
  const urgent: Waiting = [];
  let calls = 0;

  const limit = async <Result>(line: Waiting, call: () => Promise<Result>): Promise<Result> => {
    if (calls >= callsMax) {
      if (line.length >= waitingMax) throw overloaded();
      await new Promise<void>((go) => line.push(go));
    } else calls += 1;
    try {
      return await call();
    } finally {
      const next = urgent.shift() ?? waiting.shift();
      if (next === undefined) calls -= 1;
      else next();
    }
  };

  return Object.assign(<Result>(call: () => Promise<Result>) => limit(waiting, call), {
    urgent: <Result>(call: () => Promise<Result>) => limit(urgent, call),
  });
}

type Waiting = (() => void)[];

function overloaded(): Fault {
  return new Fault('OVERLOADED', 'Too many calls wait for DynamoDB.', { retryable: true });
}
