import type { UserId } from '../domain/ids.ts';

export interface Claims {
  readonly userId: UserId;
  readonly isOperator: boolean;
  /** Epoch milliseconds; null for a token that does not expire. */
  readonly expiresAt: number | null;
}

export interface TokenVerifier {
  /** Undefined for anything but a valid token of the pinned algorithms, issuer and audience. */
  verify(token: string): Claims | undefined | Promise<Claims | undefined>;
}
