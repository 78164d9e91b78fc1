import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { createDecoder, TokenError } from 'fast-jwt';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { TokenVerifier } from '../../ports/token-verifier.ts';
import { rememberTokens } from './remember-tokens.ts';
import {
  type Algorithm,
  type Expectations,
  type VerifyWithKey,
  verifyWithKey,
} from './verify-with-key.ts';

/**
 * Verifies against a published key set. A key id that is not known makes it look again, at most
 * once in a while however many such tokens come, so that a rotation is followed and made-up ids
 * are cheap. While the set cannot be had, the keys already known go on counting.
 */
export function createJwksVerifier(
  url: string,
  expectations: Expectations,
  clock: Clock,
  logger: Logger,
): TokenVerifier {
  const decode = createDecoder({ complete: true });
  let keys = new Map<string, VerifyWithKey>();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;

  const refresh = (): Promise<void> => {
    fetchedAt = clock.now();
    fetching ??= fetchKeys(url, expectations, clock)
      .then((fetched) => {
        keys = fetched;
      })
      .catch((error: unknown) => {
        logger.error({ err: error, url }, 'The key set could not be fetched; keeping the old one.');
      })
      .finally(() => {
        fetching = null;
      });
    return fetching;
  };

  const keyIdOf = (token: string): string | undefined => {
    try {
      const { header } = decode(token) as { header: { kid?: unknown } };
      return typeof header.kid === 'string' ? header.kid : '';
    } catch (error) {
      if (error instanceof TokenError) return undefined;
      throw error;
    }
  };

  return {
    verify(token) {
      const keyId = keyIdOf(token);
      if (keyId === undefined) return undefined;
      const known = keys.get(keyId);
      const ageMs = clock.now() - fetchedAt;
      if (known !== undefined) {
        if (ageMs > refreshAfterMs) void refresh();
        return known(token);
      }
      if (fetching === null && ageMs < refreshIntervalMs) return undefined;
      return (fetching ?? refresh()).then(() => keys.get(keyId)?.(token));
    },
  };
}

async function fetchKeys(
  url: string,
  expectations: Expectations,
  clock: Clock,
): Promise<Map<string, VerifyWithKey>> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(fetchTimeoutMs),
    headers: { accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`The key set answered ${response.status}.`);
  const text = await response.text();
  if (text.length > setCharactersMax) throw new Error('The key set is too large.');
  const { keys } = JSON.parse(text) as { keys: PublishedKey[] };
  const verifiers = new Map<string, VerifyWithKey>();
  for (const key of keys.slice(0, keysMax)) {
    const algorithm = algorithmOf(key);
    if (algorithm === undefined || (key.use !== undefined && key.use !== 'sig')) continue;
    const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const verify = verifyWithKey(String(pem), algorithm, expectations);
    verifiers.set(key.kid ?? '', rememberTokens(verify, clock));
  }
  return verifiers;
}

interface PublishedKey extends JsonWebKey {
  readonly kid?: string;
  readonly use?: string;
}

function algorithmOf({ kty, crv }: PublishedKey): Algorithm | undefined {
  if (kty === 'RSA') return 'RS256';
  if (kty === 'EC' && crv === 'P-256') return 'ES256';
  return kty === 'OKP' && crv === 'Ed25519' ? 'EdDSA' : undefined;
}

const fetchTimeoutMs = 5000;
const refreshIntervalMs = 1000;
/** A key that was taken back stops counting within this time. */
const refreshAfterMs = 5 * 60 * 1000;
const setCharactersMax = 100_000;
const keysMax = 50;
