import type { FastifyReply } from 'fastify';
import { type ErrorCode, errorCatalogue, type Refused } from '../domain/errors.ts';

/** Finds the log line of a request; taken over from the caller when given. */
export const traceHeader = 'x-request-id';

/** RFC 9457, with the stable code that clients go by. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail?: string;
}

/** For places that cannot answer themselves, such as hooks and parsers. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail?: string, retryAfterSeconds?: number) {
    super(detail ?? errorCatalogue[code].title);
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function problemBody(code: ErrorCode, detail?: string): ProblemBody {
  const { status, title } = errorCatalogue[code];
  const type = `urn:fairline:problem:${code.toLowerCase().replaceAll('_', '-')}`;
  return detail === undefined
    ? { type, title, status, code }
    : { type, title, status, code, detail };
}

/** Answers at once, without the cost of throwing: a closed event may be asked for by a million. */
export function refuse(reply: FastifyReply, { code, detail }: Refused): FastifyReply {
  return sendProblem(reply, code, detail);
}

export function sendProblem(
  reply: FastifyReply,
  code: ErrorCode,
  detail?: string,
  retryAfterSeconds?: number,
): FastifyReply {
  const body = problemBody(code, detail);
  reply.header(traceHeader, reply.request.id);
  if (body.status === 401) reply.header('www-authenticate', 'Bearer');
  const waitSeconds = retryAfterSeconds ?? (body.status === 503 ? 1 : undefined);
  if (waitSeconds !== undefined) reply.header('retry-after', waitSeconds);
  return reply
    .code(body.status)
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(body);
}
