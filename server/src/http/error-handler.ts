import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, Fault } from '../domain/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { BadPosition } from '../ports/page.ts';
import { Problem, sendProblem } from './problem.ts';

/** The one place where an error becomes an answer. What went wrong inside is logged, not told. */
export function createErrorHandler(logger: Logger, clock: Clock) {
  const mayLog = createLogQuota(clock);
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof Problem) {
      return sendProblem(reply, error.code, error.detail, error.retryAfterSeconds);
    }
    if (error instanceof BadPosition) return sendProblem(reply, 'INVALID_CURSOR');
    if (namesUser(error)) return sendProblem(reply, 'USER_ID_NOT_ACCEPTED');
    const expected = frameworkErrors[error.code];
    if (expected !== undefined) return sendProblem(reply, expected, detailOf(error));
    const code = error instanceof Fault ? error.code : 'INTERNAL';
    const unlogged = mayLog(code);
    if (unlogged !== undefined) {
      const route = request.routeOptions.url;
      logger.error({ err: error, traceId: request.id, route, unlogged }, error.message);
    }
    return sendProblem(reply, code);
  };
}

/** A dependency that is down fails every call: one line a second says as much as ten thousand. */
function createLogQuota(clock: Clock): (code: ErrorCode) => number | undefined {
  const last = new Map<ErrorCode, { second: number; unlogged: number }>();
  return (code) => {
    const second = Math.floor(clock.now() / 1000);
    const known = last.get(code);
    if (known?.second === second) {
      known.unlogged += 1;
      return undefined;
    }
    last.set(code, { second, unlogged: 0 });
    return known?.unlogged ?? 0;
  };
}

function namesUser(error: FastifyError): boolean {
  return error.validation?.[0]?.params['additionalProperty'] === 'userId';
}

/** Says where and what, never echoes the value: it may be somebody's token in the wrong place. */
function detailOf(error: FastifyError): string {
  const first = error.validation?.[0];
  if (first === undefined) return error.message;
  const place = [error.validationContext, ...first.instancePath.split('/').slice(1)].join('.');
  const extra = first.params['additionalProperty'] ?? first.params['missingProperty'];
  return `${place} ${first.message ?? 'is not valid'}${extra === undefined ? '' : ` (${extra})`}.`;
}

const frameworkErrors: Record<string, ErrorCode | undefined> = {
  FST_ERR_VALIDATION: 'INVALID_REQUEST',
  FST_ERR_BAD_URL: 'INVALID_REQUEST',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_REQUEST',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_REQUEST',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
};
