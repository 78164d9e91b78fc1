import { createVerifier, TokenError } from 'fast-jwt';
import { parseUserId } from '../../domain/ids.ts';
import type { Claims } from '../../ports/token-verifier.ts';

export type Algorithm = 'HS256' | 'RS256' | 'ES256' | 'EdDSA';

export interface Expectations {
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
}

export type VerifyWithKey = (token: string) => Claims | undefined;

/** A verifier of one key and of the one algorithm that goes with it. */
export function verifyWithKey(
  key: string,
  algorithm: Algorithm,
  { issuer, audience }: Expectations,
): VerifyWithKey {
  const verify = createVerifier({
    key,
    algorithms: [algorithm],
    // Without this a token that lacks the claim would pass the check of its value.
    requiredClaims: [
      'sub',
      ...(issuer === undefined ? [] : ['iss']),
      ...(audience === undefined ? [] : ['aud']),
    ],
    ...(issuer === undefined ? {} : { allowedIss: issuer }),
    ...(audience === undefined ? {} : { allowedAud: audience }),
  });
  return (token) => {
    try {
      return claimsOf(verify(token));
    } catch (error) {
      if (error instanceof TokenError) return undefined;
      throw error;
    }
  };
}

function claimsOf({ sub, role, roles, exp }: Record<string, unknown>): Claims | undefined {
  const userId = parseUserId(sub);
  if (userId === undefined) return undefined;
  return {
    userId,
    isOperator: role === 'admin' || (Array.isArray(roles) && roles.includes('admin')),
    expiresAt: typeof exp === 'number' ? exp * 1000 : null,
  };
}
