import type { UserId } from '../domain/ids.ts';
import type { AuditTrail } from '../ports/audit-trail.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';

export interface Deed {
  readonly operator: UserId;
  readonly action: string;
  readonly target: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export function createRecordAudit(audit: AuditTrail, ids: Ids, clock: Clock) {
  return ({ operator, action, target, before = null, after = null }: Deed): Promise<void> =>
    audit.append({
      id: ids.next(),
      occurredAt: clock.now(),
      operator,
      action,
      target,
      before,
      after,
    });
}

export type RecordAudit = ReturnType<typeof createRecordAudit>;
