import { createVerifier } from 'fast-jwt';
import type { FastifyRequest } from 'fastify';

export interface Identity {
  readonly userId: string;
  readonly isAdmin: boolean;
}

export type ReadIdentity = (request: FastifyRequest) => Identity | undefined;

/** Reads who is asking: a signed token, or the debug headers of a development server. */
export function createIdentityReader(jwtSecret: string): ReadIdentity {
  const verify = createVerifier({ key: jwtSecret, algorithms: ['HS256'] });

  const fromToken = (token: string): Identity | undefined => {
    try {
      const claims: { sub?: string; role?: string } = verify(token);
      return claims.sub ? { userId: claims.sub, isAdmin: claims.role === 'admin' } : undefined;
    } catch {
      return undefined;
    }
  };

  return ({ headers }) => {
    if (headers.authorization?.startsWith('Bearer ')) {
      return fromToken(headers.authorization.slice('Bearer '.length));
    }
    const userId = headers['x-debug-user-id'];
    if (typeof userId !== 'string') return undefined;
    return { userId, isAdmin: headers['x-debug-role'] === 'admin' };
  };
}
