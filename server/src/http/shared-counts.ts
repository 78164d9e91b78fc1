/** Calls of the current window by name, in memory that all threads of the process share. */
export interface SharedCounts {
  /** Of each name 28 bits of its hash, 14 of the window, 22 of the count. */
  readonly entries: BigUint64Array;
  /** Makes it unknown outside which names meet in one place. */
  readonly seed: number;
}

export function createSharedCounts(seed: number): SharedCounts {
  const bytes = entriesMax * BigUint64Array.BYTES_PER_ELEMENT;
  return { entries: new BigUint64Array(new SharedArrayBuffer(bytes)), seed };
}

/**
 * Counts one call and tells how many the name has made in this window. An entry of an earlier
 * window is free to be taken over. A name that finds no room near its place goes uncounted: that
 * bounds the memory, and happens only when hundreds of thousands call within one window.
 */
export function countCall({ entries, seed }: SharedCounts, name: string, window: number): number {
  const [place, tag] = hashesOf(name, seed);
  const owner = ownerOf(tag, window);
  for (;;) {
    const index = findEntry(entries, place, owner);
    if (index === undefined) return 0;
    const before = Atomics.load(entries, index);
    const isOwn = before >> countBits === owner;
    if (!isOwn && isCurrent(before, owner)) continue;
    const after = isOwn ? before + 1n : (owner << countBits) | 1n;
    const isKept = Atomics.compareExchange(entries, index, before, after) === before;
    if (isKept) return Number(after & countMask);
  }
}

/** The owner's entry, or else the first free one at or after its place. */
function findEntry(entries: BigUint64Array, place: number, owner: bigint): number | undefined {
  let free: number | undefined;
  for (let step = 0; step < stepsMax; step += 1) {
    const index = (place + step) & (entriesMax - 1);
    const entry = Atomics.load(entries, index);
    if (entry >> countBits === owner) return index;
    if (isCurrent(entry, owner)) continue;
    free ??= index;
    // Never used: whoever came to this place before found room no later than here.
    if (entry === 0n) break;
  }
  return free;
}

function ownerOf(tag: number, window: number): bigint {
  return (BigInt(tag) << windowBits) | (BigInt(window) & windowMask);
}

function isCurrent(entry: bigint, owner: bigint): boolean {
  return entry !== 0n && ((entry >> countBits) & windowMask) === (owner & windowMask);
}

/** Two independent hashes in one pass (multiply and mix, as in the public-domain cyrb53). */
function hashesOf(name: string, seed: number): [place: number, tag: number] {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return [a >>> (32 - placeBits), b >>> (32 - tagBits)];
}

const placeBits = 19;
const entriesMax = 2 ** placeBits;
const stepsMax = 16;
const tagBits = 28;
const windowBits = 14n;
const windowMask = 2n ** windowBits - 1n;
const countBits = 22n;
const countMask = 2n ** countBits - 1n;
