import type { UserId } from '../../domain/ids.ts';

/**
 * Binary keys, compact and in the order in which they are read. An event is a 4-byte number here;
 * an id's 16 bytes begin with its queuedAt, so ids of one event sort in queue order.
 */
export const lmdbKeys = {
  event: (eventNo: number) => {
    const key = Buffer.allocUnsafe(4);
    key.writeUInt32BE(eventNo, 0);
    return key;
  },
  message: (eventNo: number, idBytes: Buffer) => {
    const key = Buffer.allocUnsafe(20);
    key.writeUInt32BE(eventNo, 0);
    idBytes.copy(key, 4, 0, 16);
    return key;
  },
  byEvent: (eventNo: number, shard: number, idBytes: Buffer) => {
    const key = Buffer.allocUnsafe(22);
    key.writeUInt32BE(eventNo, 0);
    key.writeUInt16BE(shard, 4);
    idBytes.copy(key, 6, 0, 16);
    return key;
  },
  /** Lock and index entry of a user lie side by side, so that an admission dirties one page. */
  lock: (userId: UserId, eventNo: number) => {
    const key = Buffer.allocUnsafe(userId.length + 6);
    const end = userPrefix(key, userId, lockTag);
    key.writeUInt32BE(eventNo, end);
    return key;
  },
  byUser: (userId: UserId, idBytes: Buffer) => {
    const key = Buffer.allocUnsafe(userId.length + 18);
    const end = userPrefix(key, userId, requestTag);
    idBytes.copy(key, end, 0, 16);
    return key;
  },
  delays: (eventNo: number, kind: number, chunk: number) => {
    const key = Buffer.allocUnsafe(9);
    key.writeUInt32BE(eventNo, 0);
    key.writeUInt8(kind, 4);
    key.writeUInt32BE(chunk, 5);
    return key;
  },
  log: (idBytes: Buffer, occurredAt: number, ordinal: number) => {
    const key = Buffer.allocUnsafe(24);
    idBytes.copy(key, 0, 0, 16);
    key.writeUIntBE(occurredAt, 16, 6);
    key.writeUInt16BE(ordinal, 22);
    return key;
  },
  timed: (occurredAt: number, id: Buffer) => {
    const key = Buffer.allocUnsafe(6 + id.length);
    key.writeUIntBE(occurredAt, 0, 6);
    id.copy(key, 6);
    return key;
  },
};

export function idBytesOfMessage(key: Buffer): Buffer {
  return key.subarray(4, 20);
}

export const lowestId = Buffer.alloc(16, 0x00);
export const highestId = Buffer.alloc(16, 0xff);

/** User ids are printable ASCII, so a zero byte ends one and no id is another's prefix. */
function userPrefix(key: Buffer, userId: UserId, tag: number): number {
  const end = key.write(userId, 'latin1');
  key[end] = 0;
  key[end + 1] = tag;
  return end + 2;
}

const lockTag = 0x4c;
const requestTag = 0x51;
