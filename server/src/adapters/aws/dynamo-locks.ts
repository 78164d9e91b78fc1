import type { RequestId } from '../../domain/ids.ts';
import { keys } from '../../domain/keys.ts';
import type { Locks } from '../../ports/locks.ts';
import { admissionWrites } from './admission-writes.ts';
import type { DynamoTable, Item } from './dynamo-table.ts';

export function createDynamoLocks(table: DynamoTable): Locks {
  return {
    async take(event, userId, requestId, createdAt) {
      const write = admissionWrites.takeLock(event, userId, requestId, createdAt);
      const written = await table.write(write);
      if (written.kind === 'written') return requestId;
      return holderOf(written.found) ?? requestId;
    },

    async find(eventId, userId) {
      return holderOf(await table.get(keys.lock(eventId, userId)));
    },
  };
}

function holderOf(lock: Item | undefined): RequestId | undefined {
  return lock?.['requestId'] as RequestId | undefined;
}
