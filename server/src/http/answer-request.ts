import type { FastifyReply } from 'fastify';
import { retryAfterSeconds } from '../domain/request-view.ts';
import type { FoundRequest } from '../participation/read-request.ts';
import { requestBody } from './request-body.ts';

/** One request, with the time to look again while it is not done. */
export function answerRequest(
  reply: Pick<FastifyReply, 'header'>,
  { request, standing }: FoundRequest,
): ReturnType<typeof requestBody> {
  const waitSeconds = retryAfterSeconds(request, standing.etaMs);
  if (waitSeconds !== undefined) reply.header('retry-after', waitSeconds);
  return requestBody(request, standing);
}
