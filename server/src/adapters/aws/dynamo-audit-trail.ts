import { keys } from '../../domain/keys.ts';
import { expiry } from '../../domain/retention.ts';
import type { AuditEntry, AuditTrail } from '../../ports/audit-trail.ts';
import type { Clock } from '../../ports/clock.ts';
import { listDays } from './days.ts';
import type { DynamoTable } from './dynamo-table.ts';
import { ttlOf } from './request-item.ts';
import { putItem } from './write-items.ts';

export function createDynamoAuditTrail(table: DynamoTable, clock: Clock): AuditTrail {
  return {
    async append(entry) {
      const { before, after, ...known } = entry;
      await table.write(
        putItem({
          ...keys.audit(entry.occurredAt, entry.id),
          entityType: 'AUDIT',
          ...known,
          // Whatever shape they have, they are only ever shown.
          change: JSON.stringify({ before, after }),
          ttl: ttlOf(expiry.audit(entry.occurredAt)),
        }),
      );
    },

    async list(page) {
      const days = { latest: clock.now() + skewMs, count: auditDays };
      const { items, next } = await listDays(table, 'AUDIT#', days, page);
      return {
        items: items.map(({ id, occurredAt, operator, action, target, change }) => ({
          ...({ id, occurredAt, operator, action, target } as AuditEntry),
          ...(JSON.parse(String(change)) as Pick<AuditEntry, 'before' | 'after'>),
        })),
        next,
      };
    },
  };
}

/** Another machine's clock may be ahead by so much. */
const skewMs = 60_000;
const auditDays = 402;
