import type { EventId, RequestId } from '../../domain/ids.ts';
import { keys } from '../../domain/keys.ts';
import type { Progress, Status } from '../../domain/request.ts';
import { expiry } from '../../domain/retention.ts';
import type { StatusChange } from '../../domain/timeline.ts';
import type { Write } from './dynamo-table.ts';
import { progressAttributes, ttlOf } from './request-item.ts';
import { type Condition, ifAbsent, putItem, updateItem } from './write-items.ts';

const ifStatus = (from: Status): Condition => ({
  text: '#status = :from',
  values: { from },
});

/** The conditional writes that bring requests on, and capacity with them. */
export const settlementWrites = {
  moveRequest: (requestId: RequestId, before: Progress, after: Progress): Write =>
    updateItem(keys.request(requestId), {
      set: changesBetween(before, after),
      when: ifStatus(before.status),
    }),

  takePlaces: (eventId: EventId, count: number, takenAt: number): Write =>
    updateItem(keys.capacity(eventId), {
      set: { updatedAt: takenAt },
      add: { capacityRemaining: -count },
      when: { text: '#capacityRemaining >= :needed', values: { needed: count } },
    }),

  /** Before the first rejection for capacity, and never undone. */
  sellOut: (eventId: EventId, soldOutAt: number): Write =>
    updateItem(keys.capacity(eventId), {
      set: { soldOutAt, updatedAt: soldOutAt },
      when: {
        text: '#capacityRemaining = :none AND attribute_not_exists(#soldOutAt)',
        values: { none: 0 },
      },
    }),

  log: (requestId: RequestId, ordinal: number, change: StatusChange): Write =>
    putItem(
      {
        ...keys.statusLog(requestId, change.occurredAt, ordinal),
        entityType: 'STATUS_LOG',
        ...change,
        ttl: ttlOf(expiry.statusLog(change.occurredAt)),
      },
      ifAbsent,
    ),
};

function changesBetween(before: Progress, after: Progress): Record<string, unknown> {
  const was = progressAttributes(before);
  return Object.fromEntries(
    Object.entries(progressAttributes(after)).filter(([name, value]) => was[name] !== value),
  );
}
