import type { Clock } from '../../ports/clock.ts';
import type { Claims } from '../../ports/token-verifier.ts';
import type { VerifyWithKey } from './verify-with-key.ts';

/**
 * Who polls shows the same token again and again, and verifying it costs more than reading
 * the answer. What one key has verified is remembered for a minute, and goes with the key.
 */
export function rememberTokens(verify: VerifyWithKey, clock: Clock): VerifyWithKey {
  let remembered = new Map<string, Claims>();
  let emptiedAt = clock.now();
  return (token) => {
    const now = clock.now();
    if (now - emptiedAt > rememberMs) {
      remembered = new Map();
      emptiedAt = now;
    }
    const known = remembered.get(token);
    if (known !== undefined && (known.expiresAt === null || known.expiresAt > now)) return known;
    const claims = verify(token);
    if (claims !== undefined && remembered.size < tokensMax) remembered.set(token, claims);
    return claims;
  };
}

const rememberMs = 60_000;
/** Bounds the memory; beyond it tokens are verified each time. */
const tokensMax = 20_000;
