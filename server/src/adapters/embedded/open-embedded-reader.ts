import { join } from 'node:path';
import { bytesOf } from '../../domain/request-id-bytes.ts';
import type { Requests } from '../../ports/requests.ts';
import { type Durability, openEnvironment } from './lmdb-environment.ts';
import { type EventRegistry, loadEventRegistry } from './lmdb-events.ts';
import { requestOf } from './lmdb-requests.ts';
import { readEventNo } from './request-record.ts';

export interface EmbeddedReader {
  readonly requests: Pick<Requests, 'get'>;
  close(): Promise<void>;
}

/** Reads what the engine of another thread of this process keeps, a moment behind it at most. */
export function openEmbeddedReader(options: {
  readonly dataDirectory: string;
  readonly durability: Durability;
}): EmbeddedReader {
  const env = openEnvironment(join(options.dataDirectory, 'store'), options.durability);
  let registry = loadEventRegistry(env);

  /** A request may be of an event that is newer than what was loaded. */
  const registryWith = (eventNo: number): EventRegistry => {
    if (registry.byNumber(eventNo) === undefined) registry = loadEventRegistry(env);
    return registry;
  };

  return {
    requests: {
      async get(requestId) {
        const record = env.requests.get(bytesOf(requestId));
        if (record === undefined) return undefined;
        return requestOf(registryWith(readEventNo(record)), requestId, record);
      },
    },
    close: env.close,
  };
}
