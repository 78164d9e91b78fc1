import { type Database, open, type RangeIterable, type RangeOptions } from 'lmdb';
import { Fault } from '../../domain/errors.ts';
import { pooledCopy, pooledValues } from './pooled-buffers.ts';

export type Durability = 'flush' | 'commit';

/** What we use of an LMDB database. Puts and removals only ever happen inside a `write`. */
export interface Store {
  get(key: Buffer): Buffer | undefined;
  getEntry(key: Buffer): { value: Buffer; version?: number } | undefined;
  doesExist(key: Buffer): boolean;
  getRange(range?: RangeOptions): RangeIterable<{ key: Buffer; value: Buffer }>;
  getKeys(range: RangeOptions): RangeIterable<Buffer>;
  getKeysCount(range: RangeOptions): number;
  /** Told by the tree itself, without reading it. */
  entryCount(): number;
  put(key: Buffer, value: Buffer, version?: number): void;
  remove(key: Buffer): void;
}

/** One LMDB environment: every write of one `write` call is kept, or none is. */
export interface Environment {
  readonly requests: Store;
  readonly participants: Store;
  readonly byEvent: Store;
  readonly queue: Store;
  readonly delays: Store;
  readonly logs: Store;
  readonly deadLetters: Store;
  readonly audit: Store;
  readonly expiries: Store;
  readonly meta: Store;
  /** These three carry versions, on which writes are conditional. */
  readonly events: Store;
  readonly doors: Store;
  readonly lanes: Store;
  /** Resolves when the writes would survive a crash (as the durability defines it). */
  write(writes: () => void): Promise<void>;
  /** The same on the condition that the key has that version (null: is absent); false if not. */
  writeIf(
    store: 'events' | 'doors' | 'lanes',
    key: Buffer,
    version: number | null,
    writes: () => void,
  ): Promise<boolean>;
  close(): Promise<void>;
}

export function openEnvironment(path: string, durability: Durability): Environment {
  const root = open({
    path,
    maxDbs: 16,
    // Off: a commit then resolves after its fsync. Overlapping syncs measured no faster, since
    // requests that arrive during one fsync share the next (docs/adr/0003).
    overlappingSync: durability === 'commit',
    // Off: our writes are batches already, and the library’s own would leave an unhandled rejection
    // behind, and so end the process, whenever a commit fails.
    eventTurnBatching: false,
  });
  const openStore = (name: string, useVersions: boolean): Database<Buffer, Buffer> & Store => {
    const options = { name, useVersions, keyEncoding: 'binary', encoder: pooledValues } as const;
    const database = root.openDB<Buffer, Buffer>(options);
    const entryCount = () => (database.getStats() as { entryCount: number }).entryCount;
    return Object.assign(database, { readKey: pooledCopy, entryCount });
  };
  const plain = (name: string): Store => openStore(name, false);
  const events = openStore('events', true);
  const doors = openStore('doors', true);
  const lanes = openStore('lanes', true);
  return {
    requests: plain('requests'),
    participants: plain('participants'),
    byEvent: plain('by-event'),
    queue: plain('queue'),
    delays: plain('delays'),
    logs: plain('logs'),
    deadLetters: plain('dead-letters'),
    audit: plain('audit'),
    expiries: plain('expiries'),
    meta: plain('meta'),
    events,
    doors,
    lanes,
    write: (writes) => translated(root.batch(writes)).then(() => undefined),
    writeIf(name, key, version, writes) {
      const store = { events, doors, lanes }[name];
      return translated(
        version === null ? store.ifNoExists(key, writes) : store.ifVersion(key, version, writes),
      );
    },
    close: () => root.close(),
  };
}

export const nothing = Buffer.alloc(0);

export function encodeJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

export function decodeJson<Value>(bytes: Buffer): Value {
  return JSON.parse(bytes.toString()) as Value;
}

async function translated(committed: Promise<boolean>): Promise<boolean> {
  try {
    return await committed;
  } catch (error) {
    throw new Fault('UNAVAILABLE', 'The data directory did not take a write.', {
      retryable: true,
      cause: await causeOf(error),
    });
  }
}

/** LMDB rejects with a generic error that carries the real one as a promise. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  return Promise.resolve(error.commitError).then(
    () => error,
    (cause: unknown) => cause,
  );
}
