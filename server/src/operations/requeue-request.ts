import { type Refused, refused } from '../domain/errors.ts';
import type { RequestId, UserId } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Redelivery } from '../ports/redelivery.ts';
import type { RecordAudit } from './record-audit.ts';

/** Gives a failed request another chance at its old place in the queue. */
export function createRequeueRequest(
  redelivery: Redelivery,
  clock: Clock,
  recordAudit: RecordAudit,
) {
  return async (
    requestId: RequestId,
    operator: UserId,
  ): Promise<{ readonly kind: 'queued' } | Refused> => {
    const reason = `Re-queued by ${operator}.`;
    const redelivered = await redelivery.redeliver(requestId, reason, clock.now());
    switch (redelivered.kind) {
      case 'missing':
        return refused('REQUEST_NOT_FOUND');
      case 'not-failed':
        return refused('NOT_REQUEUEABLE');
      case 'queued':
        await recordAudit({ operator, action: 'request.requeue', target: requestId });
        return { kind: 'queued' };
    }
  };
}

export type RequeueRequest = ReturnType<typeof createRequeueRequest>;
