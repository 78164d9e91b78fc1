import { createJwksVerifier } from '../adapters/jwt/jwks-verifier.ts';
import { rememberTokens } from '../adapters/jwt/remember-tokens.ts';
import { verifyWithKey } from '../adapters/jwt/verify-with-key.ts';
import { developmentSecret } from '../adapters/system/development-secret.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { TokenVerifier } from '../ports/token-verifier.ts';

export function createTokenVerifier(config: Config, clock: Clock, logger: Logger): TokenVerifier {
  const expectations = { issuer: config.jwtIssuer, audience: config.jwtAudience };
  if (config.jwtKeys.kind === 'jwks') {
    return createJwksVerifier(config.jwtKeys.url, expectations, clock, logger);
  }
  const verify = verifyWithKey(signingSecret(config), 'HS256', expectations);
  return { verify: rememberTokens(verify, clock) };
}

/** The secret that tokens of this configuration are signed with, where there is one. */
export function signingSecret({ jwtKeys, dataDirectory }: Config): string {
  if (jwtKeys.kind === 'secret') return jwtKeys.secret;
  return developmentSecret(dataDirectory);
}
