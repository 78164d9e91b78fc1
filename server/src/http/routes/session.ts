import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { serialize } from 'cookie';
import type { Clock } from '../../ports/clock.ts';
import type { TokenVerifier } from '../../ports/token-verifier.ts';
import { bearerToken } from '../authenticate.ts';
import { sendProblem } from '../problem.ts';
import { NoQuery } from '../schemas/common.ts';
import { problems } from '../schemas/problem.ts';

export interface SessionOptions {
  readonly cookieName: string;
  readonly isSecure: boolean;
}

/** The pages trade a token for a cookie that no script can read. */
export function sessionRoutes(
  verifier: TokenVerifier,
  clock: Clock,
  { cookieName, isSecure }: SessionOptions,
): FastifyPluginAsyncTypebox {
  const sessionCookie = (value: string, maxAge?: number): string =>
    serialize(cookieName, value, {
      httpOnly: true,
      sameSite: 'strict',
      secure: isSecure,
      path: '/',
      ...(maxAge === undefined ? {} : { maxAge }),
    });
  return async (app) => {
    app.post(
      '/session',
      {
        schema: {
          operationId: 'signIn',
          summary: 'Trade a bearer token for a session cookie',
          tags: ['session'],
          querystring: NoQuery,
          response: {
            204: { type: 'null', description: 'The cookie is set.' },
            ...problems('UNAUTHENTICATED'),
          },
        },
      },
      async (request, reply) => {
        const token = bearerToken(request.headers.authorization ?? '');
        const claims = token === undefined ? undefined : await verifier.verify(token);
        if (token === undefined || claims === undefined)
          return sendProblem(reply, 'UNAUTHENTICATED');
        const { expiresAt } = claims;
        const maxAge = expiresAt === null ? undefined : secondsUntil(expiresAt, clock.now());
        return reply.header('set-cookie', sessionCookie(token, maxAge)).code(204).send(null);
      },
    );

    app.delete(
      '/session',
      {
        schema: {
          operationId: 'signOut',
          summary: 'Drop the session cookie',
          tags: ['session'],
          security: [],
          querystring: NoQuery,
          response: { 204: { type: 'null', description: 'The cookie is gone.' } },
        },
      },
      async (_request, reply) =>
        reply.header('set-cookie', sessionCookie('', 0)).code(204).send(null),
    );
  };
}

function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.floor((time - now) / 1000));
}
