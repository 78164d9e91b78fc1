import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { problemBody } from './problem.ts';

/** Carries who called and, with it, the proof that a gate says so. Only ever set between threads. */
export const gateHeader = 'x-fairline-gate';

export interface HandOver {
  /** Lets the main thread answer. */
  pass(request: IncomingMessage, response: ServerResponse): void;
  readonly openCount: number;
}

/** What a gate does not answer itself goes to the main thread, as it came, over a local socket. */
export function createHandOver(socketPath: string, secret: string): HandOver {
  const agent = new Agent({ keepAlive: true, maxSockets: socketsMax, maxFreeSockets: 64 });
  const open = new Set<IncomingMessage>();

  return {
    pass(request, response) {
      open.add(request);
      const onward = send({
        socketPath,
        agent,
        method: request.method,
        path: request.url,
        headers: [
          ...withoutConnection(request.rawHeaders),
          gateHeader,
          `${secret} ${request.socket.remoteAddress ?? ''}`,
        ],
      });
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.rawHeaders));
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      });
      onward.on('error', () => {
        if (response.headersSent) response.destroy();
        else answerUnavailable(response);
      });
      response.on('close', () => {
        open.delete(request);
        onward.destroy();
      });
      request.pipe(onward);
    },
    get openCount() {
      return open.size;
    },
  };
}

/** Believes the address that a gate tells, and nobody else's. */
export function readGateHeader(request: IncomingMessage, secret: string): void {
  const [shown, address] = String(request.headers[gateHeader] ?? '').split(' ');
  if (shown !== secret) return;
  Object.defineProperty(request.socket, 'remoteAddress', { value: address, configurable: true });
}

/** These are between two neighbours, not between the ends; and nobody names a gate but the gate. */
function withoutConnection(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!hopHeaders.has(name.toLowerCase())) kept.push(name, rawHeaders[index + 1] ?? '');
  }
  return kept;
}

/** Streams hold one each; what is beyond waits here instead of failing at a full backlog. */
const socketsMax = 2048;
const hopHeaders = new Set(['connection', 'keep-alive', gateHeader]);

function answerUnavailable(response: ServerResponse): void {
  const body = JSON.stringify(problemBody('UNAVAILABLE'));
  response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '1' });
  response.end(body);
}
