/**
 * How LMDB hands values to us: copied into Node's buffer pool. Its own binary encoding gives each
 * an ArrayBuffer of its own, which is slow to make and slow to collect.
 */
export const pooledValues = {
  encode: (value: Buffer): Buffer => value,
  decode: (value: Buffer): Buffer => pooledCopy(value, 0, value.length),
};

/** LMDB overwrites the length of the buffer that it reads into, so `copy` would misjudge it. */
export function pooledCopy(source: Buffer, start: number, end: number): Buffer {
  const copy = Buffer.allocUnsafe(end - start);
  copy.set(new Uint8Array(source.buffer, source.byteOffset + start, end - start));
  return copy;
}
