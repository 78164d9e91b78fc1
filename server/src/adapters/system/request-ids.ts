import { randomFillSync } from 'node:crypto';
import { requestIdOf } from '../../domain/request-id-bytes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RequestIds } from '../../ports/ids.ts';

/**
 * Version 7 UUIDs whose 12 bits after the time count within the millisecond, so that ids sort in
 * the order in which they were given out; 62 bits of chance keep them unguessable. Made here
 * because `uuid` keeps no floor across a restart.
 */
export function createRequestIds(clock: Clock, floor: number): RequestIds {
  const pool = Buffer.allocUnsafeSlow(poolBytes);
  let poolUsed = poolBytes;
  let stampedAt = floor;
  let ordinal = ordinalMax;

  return {
    next() {
      const now = clock.now();
      if (now > stampedAt) {
        stampedAt = now;
        ordinal = 0;
      } else if (ordinal < ordinalMax) {
        ordinal += 1;
      } else {
        stampedAt += 1;
        ordinal = 0;
      }
      if (poolUsed === poolBytes) {
        randomFillSync(pool);
        poolUsed = 0;
      }
      const bytes = Buffer.allocUnsafe(16);
      bytes.writeUIntBE(stampedAt, 0, 6);
      bytes.writeUInt16BE(0x7000 | ordinal, 6);
      pool.copy(bytes, 8, poolUsed, poolUsed + 8);
      bytes[8] = (pool.readUInt8(poolUsed) & 0x3f) | 0x80;
      poolUsed += 8;
      return { requestId: requestIdOf(bytes), bytes, stampedAt };
    },
  };
}

const poolBytes = 8 * 1024;
const ordinalMax = 0xfff;
