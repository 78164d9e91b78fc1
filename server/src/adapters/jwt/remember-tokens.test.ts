import { describe, expect, test, vi } from 'vitest';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import type { UserId } from '../../domain/ids.ts';
import { rememberTokens } from './remember-tokens.ts';

describe('remembered tokens', () => {
  const claims = { userId: 'kim' as UserId, isOperator: false, expiresAt: null };

  test('a token is verified once a minute, however often it is shown', () => {
    const clock = createManualClock();
    const verify = vi.fn(() => claims);
    const remembering = rememberTokens(verify, clock);
    for (let call = 0; call < 5; call += 1) expect(remembering('token')).toEqual(claims);
    expect(verify).toHaveBeenCalledTimes(1);
    clock.move(60_001);
    remembering('token');
    expect(verify).toHaveBeenCalledTimes(2);
  });

  test('an expired token counts no longer, remembered or not', () => {
    const clock = createManualClock();
    const expiresAt = clock.now() + 10;
    const verify = () => (clock.now() < expiresAt ? { ...claims, expiresAt } : undefined);
    const remembering = rememberTokens(verify, clock);
    expect(remembering('token')).toBeDefined();
    clock.move(10);
    expect(remembering('token')).toBeUndefined();
  });

  test('a token that was refused is not remembered', () => {
    const answers = [undefined, claims];
    const remembering = rememberTokens(() => answers.shift(), createManualClock());
    expect(remembering('token')).toBeUndefined();
    expect(remembering('token')).toEqual(claims);
  });
});
