import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRequestId } from './ids.ts';
import { bytesOf, requestIdOf, stampOf } from './request-id-bytes.ts';

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((array) => Buffer.from(array));

test('an id and its bytes say the same, and sort the same', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const [idA, idB] = [requestIdOf(a), requestIdOf(b)];
      expect(parseRequestId(idA)).toBe(idA);
      expect(bytesOf(idA)).toEqual(a);
      expect(Math.sign(a.compare(b))).toBe(idA === idB ? 0 : idA < idB ? -1 : 1);
    }),
  );
});

test('the first six bytes are the stamp', () => {
  const stamped = Buffer.alloc(16);
  stamped.writeUIntBE(1_772_323_200_000, 0, 6);
  expect(stampOf(stamped)).toBe(1_772_323_200_000);
});
