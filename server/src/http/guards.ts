import type { FastifyReply, FastifyRequest } from 'fastify';
import { invariant } from '../domain/invariant.ts';
import type { Authenticate, Identity } from './authenticate.ts';
import { Problem } from './problem.ts';
import type { RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

export interface Guards {
  readonly participant: Hook;
  readonly operator: Hook;
}

/** What stands before a route: who is it, may they, and not too often. Runs before any body is read. */
export function createGuards(
  authenticate: Authenticate,
  rateLimit: RateLimit,
  trustedOrigins: readonly string[],
): Guards {
  const identify = (
    request: FastifyRequest,
    next: (identity: Identity) => void,
    done: (error?: Error) => void,
  ): void => {
    const proceed = (identity: Identity | undefined): void => {
      if (identity === undefined) done(new Problem('UNAUTHENTICATED'));
      else if (identity.via === 'cookie' && !isSameSite(request, trustedOrigins)) {
        done(new Problem('ORIGIN_REFUSED'));
      } else {
        request.identity = identity;
        next(identity);
      }
    };
    const identity = authenticate(request);
    if (identity instanceof Promise) identity.then(proceed, done);
    else proceed(identity);
  };

  return {
    participant(request, _reply, done) {
      identify(
        request,
        (identity) => {
          const waitSeconds = identity.isOperator ? 0 : rateLimit.take(identity.userId, request.ip);
          if (waitSeconds === 0) done();
          else done(new Problem('TOO_MANY_REQUESTS', undefined, waitSeconds));
        },
        done,
      );
    },
    operator(request, _reply, done) {
      identify(
        request,
        (identity) => done(identity.isOperator ? undefined : new Problem('FORBIDDEN')),
        done,
      );
    },
  };
}

export function identityOf(request: FastifyRequest): Identity {
  invariant(request.identity !== null, 'A guarded route has an identity.');
  return request.identity;
}

/** A cookie is sent by the browser whoever asks; only our own pages may make it act. */
function isSameSite(request: FastifyRequest, trustedOrigins: readonly string[]): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  const { origin, host } = request.headers;
  if (origin === undefined) return request.headers['sec-fetch-site'] === 'same-origin';
  return trustedOrigins.includes(origin) || origin.replace(/^https?:\/\//, '') === host;
}
