import { describe, expect, test } from 'vitest';
import { createAwsWorld } from '../support/aws/aws-world.ts';
import { spawnServer } from '../support/child-server.ts';
import {
  allRequests,
  createEvent,
  expectSummaryEqualsRecount,
  participate,
  untilSettled,
} from '../support/participation.ts';

describe('on DynamoDB and SQS', () => {
  test('of 2,000 who press at once exactly 200 win, with one API and two workers', async () => {
    const world = await createAwsWorld();
    const [api] = await Promise.all([
      spawnServer(world.variables({ FAIRLINE_ROLES: 'api' })),
      spawnServer(world.variables({ FAIRLINE_ROLES: 'worker', FAIRLINE_SETTLE_HOLD_MS: '1000' })),
      spawnServer(world.variables({ FAIRLINE_ROLES: 'worker', FAIRLINE_SETTLE_HOLD_MS: '1000' })),
    ]);
    await createEvent(api.operator, 'spike', 200);
    const users = Array.from({ length: 2000 }, (_, index) => api.user(`user-${index}`));
    const ids = await Promise.all(users.map((user) => participate(user, 'spike')));
    expect(new Set(ids).size).toBe(2000);
    const summary = await untilSettled(api.operator, 'spike');
    const requests = await allRequests(api.operator, 'spike');

    expect(requests).toHaveLength(2000);
    expect(summary.byStatus).toMatchObject({ SUCCEEDED: 200, REJECTED: 1800 });
    expect(summary.capacityRemaining).toBe(0);
    expectSummaryEqualsRecount(summary, requests);
    expect(summary.inversions).toBeLessThanOrEqual(4);
  }, 240_000);
});
