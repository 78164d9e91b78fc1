import { systemClock } from '../adapters/system/system-clock.ts';
import type { Config } from '../config.ts';
import { createAuthenticate } from '../http/authenticate.ts';
import { createGuards, type Guards } from '../http/guards.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import type { SharedCounts } from '../http/shared-counts.ts';
import type { TokenVerifier } from '../ports/token-verifier.ts';

/** The same before every route, in whatever thread it is answered. */
export function composeGuards(
  config: Config,
  verifier: TokenVerifier,
  callCounts: SharedCounts,
): Guards {
  const authenticate = createAuthenticate(verifier, {
    debugHeaders: config.isDevelopment,
    sessionCookie: sessionCookieOf(config),
  });
  const rateLimit = createRateLimit(config.rates, callCounts, systemClock);
  return createGuards(authenticate, rateLimit, config.corsOrigins);
}

export function sessionCookieOf(config: Config): string {
  return config.isDevelopment ? 'fairline_session' : '__Host-fairline_session';
}
