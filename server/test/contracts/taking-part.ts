import type { Event } from '../../src/domain/event.ts';
import type { RequestId, UserId } from '../../src/domain/ids.ts';
import { invariant } from '../../src/domain/invariant.ts';
import type { Request } from '../../src/domain/request.ts';
import type { TestEngine } from './test-engine.ts';

/** Lets new users enter one after the other; their requests in that order. */
export async function enterInTurn(
  tested: TestEngine,
  event: Event,
  count: number,
  prefix = 'user',
): Promise<RequestId[]> {
  const ids: RequestId[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push(await enter(tested, event, `${prefix}-${index}`));
  }
  return ids;
}

export async function enter(tested: TestEngine, event: Event, userId = 'user'): Promise<RequestId> {
  const { admission } = tested.engine;
  const admitted = await admission.admit(event, userId as UserId, tested.now());
  return admitted.requestId;
}

export async function storedRequest(tested: TestEngine, requestId: RequestId): Promise<Request> {
  const request = await tested.engine.requests.get(requestId);
  invariant(request !== undefined, 'The request is stored.');
  return request;
}
