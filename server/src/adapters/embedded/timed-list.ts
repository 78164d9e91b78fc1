import { BadPosition, type Page, type PageRequest } from '../../ports/page.ts';
import { decodeJson, type Store } from './lmdb-environment.ts';

/** Records stored under a 6-byte time and an id of 16 bytes, the latest first. */
export function listTimed<Item>(store: Store, { after, limit }: PageRequest): Page<Item> {
  const start = after === null ? Buffer.alloc(timedKeyBytes, 0xff) : positionOf(after);
  const keys: Buffer[] = [];
  const items: Item[] = [];
  const range = store.getRange({ start, reverse: true, exclusiveStart: after !== null });
  for (const { key, value } of range) {
    if (key.length !== timedKeyBytes) continue;
    keys.push(Buffer.from(key));
    if (keys.length > limit) break;
    items.push(decodeJson<Item>(value));
  }
  const last = keys[limit - 1];
  return {
    items,
    next: keys.length > limit && last !== undefined ? last.toString('hex') : null,
  };
}

function positionOf(after: string): Buffer {
  if (!new RegExp(`^[0-9a-f]{${timedKeyBytes * 2}}$`).test(after)) throw new BadPosition();
  return Buffer.from(after, 'hex');
}

const timedKeyBytes = 22;
