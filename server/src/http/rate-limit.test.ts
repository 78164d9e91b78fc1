import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createRateLimit } from './rate-limit.ts';
import { createSharedCounts } from './shared-counts.ts';

describe('the rate limit', () => {
  const windowStart = 1_800_000_000_000;

  test('counts each user alone and says how long the window lasts', () => {
    const clock = createManualClock(windowStart + 3500);
    const limit = createRateLimit({ userMax: 2, addressMax: 0 }, createSharedCounts(1), clock);
    expect([1, 2, 3].map(() => limit.take('kim', '10.0.0.1'))).toEqual([0, 0, 7]);
    expect(limit.take('lee', '10.0.0.1')).toBe(0);
    clock.move(6500);
    expect(limit.take('kim', '10.0.0.1')).toBe(0);
  });

  test('counts an address over all its users', () => {
    const limit = createRateLimit(
      { userMax: 0, addressMax: 2 },
      createSharedCounts(1),
      createManualClock(windowStart),
    );
    expect(['a', 'b', 'c'].map((user) => limit.take(user, '10.0.0.1'))).toEqual([0, 0, 10]);
    expect(limit.take('d', '10.0.0.2')).toBe(0);
  });

  test('is off at zero', () => {
    const limit = createRateLimit(
      { userMax: 0, addressMax: 0 },
      createSharedCounts(1),
      createManualClock(windowStart),
    );
    expect(Array.from({ length: 500 }, () => limit.take('kim', '10.0.0.1'))).not.toContain(10);
  });
});
