import { parse } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { parseUserId, type UserId } from '../domain/ids.ts';
import type { TokenVerifier } from '../ports/token-verifier.ts';

export interface Identity {
  readonly userId: UserId;
  readonly isOperator: boolean;
  /** How it was shown; what came by cookie must also come from our own pages. */
  readonly via: 'token' | 'cookie' | 'debug';
}

export type Authenticate = (
  request: FastifyRequest,
) => Identity | undefined | Promise<Identity | undefined>;

export interface IdentityOptions {
  readonly debugHeaders: boolean;
  readonly sessionCookie: string;
}

/** Who is calling: a token if one is shown, else the session cookie, else a debug header. */
export function createAuthenticate(
  verifier: TokenVerifier,
  { debugHeaders, sessionCookie }: IdentityOptions,
): Authenticate {
  const byToken = (
    token: string,
    via: 'token' | 'cookie',
  ): Identity | undefined | Promise<Identity | undefined> => {
    const verified = verifier.verify(token);
    if (verified instanceof Promise) return verified.then((claims) => claims && { ...claims, via });
    return verified && { userId: verified.userId, isOperator: verified.isOperator, via };
  };

  return (request) => {
    const { headers } = request;
    if (headers.authorization !== undefined) {
      const token = bearerToken(headers.authorization);
      return token === undefined ? undefined : byToken(token, 'token');
    }
    if (headers.cookie !== undefined) {
      const token = parse(headers.cookie)[sessionCookie];
      if (token !== undefined) return byToken(token, 'cookie');
    }
    return debugHeaders ? byDebugHeaders(headers) : undefined;
  };
}

export function bearerToken(authorization: string): string | undefined {
  const [scheme, token, rest] = authorization.split(' ');
  return scheme?.toLowerCase() === 'bearer' && rest === undefined ? token : undefined;
}

/** A proxy in between means that somebody else may have written the header. */
function byDebugHeaders(headers: FastifyRequest['headers']): Identity | undefined {
  if (forwardingHeaders.some((name) => headers[name] !== undefined)) return undefined;
  const userId = parseUserId(headers['x-debug-user-id']);
  if (userId === undefined) return undefined;
  return { userId, isOperator: headers['x-debug-role'] === 'admin', via: 'debug' };
}

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const;
