import type { MessagePort } from 'node:worker_threads';
import { type ErrorCode, Fault } from '../../domain/errors.ts';
import type { Timers } from '../../ports/timers.ts';

/** How an argument or a result travels: as text of one line, which is the cheapest to copy. */
export interface Codec<Value> {
  encode(value: Value): string;
  decode(text: string): Value;
}

export interface Codecs<Argument, Result> {
  readonly argument: Codec<Argument>;
  readonly result: Codec<Result>;
}

export const jsonCodec = {
  encode: (value: unknown): string => JSON.stringify(value),
  decode: JSON.parse,
};

export interface CallingEnd<Argument, Result> {
  call(argument: Argument): Promise<Result>;
  /** Calls without an answer yet. */
  readonly openCount: number;
}

interface Waiting<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The calling end: a function whose work another thread does. All calls of one turn of the event
 * loop travel in one message, since a message each would cost more than most of the calls.
 */
export function callAcross<Argument, Result>(
  port: MessagePort,
  timers: Timers,
  { argument: argumentCodec, result: resultCodec }: Codecs<Argument, Result>,
): CallingEnd<Argument, Result> {
  const waiting = new Map<number, Waiting<Result>>();
  let lines: string[] = [];
  let nextId = 0;

  const send = (): void => {
    port.postMessage(`${nextId - lines.length}\n${lines.join('\n')}`);
    lines = [];
  };

  port.on('message', (message: string) => {
    for (const line of message.split('\n')) {
      const [id, mark, text] = parseAnswer(line);
      const call = waiting.get(id);
      if (call === undefined) continue;
      waiting.delete(id);
      if (mark === succeeded) call.resolve(resultCodec.decode(text));
      else call.reject(decodeFault(text));
    }
  });

  return {
    call: (argument) =>
      new Promise((resolve, reject) => {
        waiting.set(nextId, { resolve, reject });
        nextId += 1;
        lines.push(argumentCodec.encode(argument));
        if (lines.length === 1) timers.soon(send);
      }),
    get openCount() {
      return waiting.size;
    },
  };
}

/** The answering end; answers that are ready in the same turn travel together as well. */
export function answerAcross<Argument, Result>(
  port: MessagePort,
  timers: Timers,
  { argument: argumentCodec, result: resultCodec }: Codecs<Argument, Result>,
  call: (argument: Argument) => Promise<Result>,
): void {
  let lines: string[] = [];

  const send = (): void => {
    port.postMessage(lines.join('\n'));
    lines = [];
  };

  const answer = (id: number, mark: string, text: string): void => {
    lines.push(`${id}${mark}${text}`);
    if (lines.length === 1) timers.soon(send);
  };

  port.on('message', (message: string) => {
    const [first, ...args] = message.split('\n');
    args.forEach((text, index) => {
      const id = Number(first) + index;
      call(argumentCodec.decode(text)).then(
        (result) => answer(id, succeeded, resultCodec.encode(result)),
        (error: unknown) => answer(id, failed, encodeFault(error)),
      );
    });
  });
}

function parseAnswer(line: string): [id: number, mark: string, text: string] {
  const at = line.search(/[=!]/);
  return [Number(line.slice(0, at)), line.charAt(at), line.slice(at + 1)];
}

interface SentFault {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly message: string;
  readonly stack: string | undefined;
}

function encodeFault(error: unknown): string {
  const { code, retryable } =
    error instanceof Fault ? error : { code: 'INTERNAL' as const, retryable: false };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return JSON.stringify({ code, retryable, message, stack } satisfies SentFault);
}

function decodeFault(text: string): Fault {
  const { code, retryable, message, stack } = JSON.parse(text) as SentFault;
  const cause = Object.assign(new Error(message), { stack });
  return new Fault(code, message, { retryable, cause });
}

const succeeded = '=';
const failed = '!';
