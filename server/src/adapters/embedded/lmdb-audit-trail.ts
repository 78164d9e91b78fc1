import { parse } from 'uuid';
import { expiry } from '../../domain/retention.ts';
import type { AuditEntry, AuditTrail } from '../../ports/audit-trail.ts';
import { type Environment, encodeJson } from './lmdb-environment.ts';
import { writeExpiry } from './lmdb-expiries.ts';
import { lmdbKeys } from './lmdb-keys.ts';
import { listTimed } from './timed-list.ts';

export function createLmdbAuditTrail(env: Environment): AuditTrail {
  return {
    async append(entry) {
      const key = lmdbKeys.timed(entry.occurredAt, Buffer.from(parse(entry.id)));
      await env.write(() => {
        env.audit.put(key, encodeJson(entry));
        writeExpiry(env, expiry.audit(entry.occurredAt), 'audit', key);
      });
    },

    async list(page) {
      return listTimed<AuditEntry>(env.audit, page);
    },
  };
}
