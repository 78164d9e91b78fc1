import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { countCall, createSharedCounts } from './shared-counts.ts';

describe('counts that threads share', () => {
  test('a name counts up within its window and starts anew in the next', () => {
    const counts = createSharedCounts(7);
    expect([1, 2, 3].map(() => countCall(counts, 'kim', 10))).toEqual([1, 2, 3]);
    expect(countCall(counts, 'lee', 10)).toBe(1);
    expect(countCall(counts, 'kim', 11)).toBe(1);
    expect(countCall(counts, 'lee', 10)).toBe(2);
  });

  test('100,000 names of one window are all counted, each alone', () => {
    const counts = createSharedCounts(7);
    const names = Array.from({ length: 100_000 }, (_, index) => `user-${index}`);
    for (const name of names) countCall(counts, name, 10);
    const wrong = names.filter((name) => countCall(counts, name, 10) !== 2);
    expect(wrong).toEqual([]);
  });

  test('earlier windows leave their room to the present one', () => {
    const counts = createSharedCounts(7);
    for (let window = 0; window < 10; window += 1) {
      for (let index = 0; index < 50_000; index += 1) {
        countCall(counts, `user-${window}-${index}`, window);
      }
    }
    expect(countCall(counts, 'kim', 10)).toBe(1);
    expect(countCall(counts, 'kim', 10)).toBe(2);
  });

  test('no call is lost between threads that count at the same time', async () => {
    const counts = createSharedCounts(7);
    const each = 20_000;
    await Promise.all([countInThread(counts, each), countInThread(counts, each)]);
    expect(countCall(counts, 'kim', 10)).toBe(2 * each + 1);
  });
});

function countInThread(counts: unknown, calls: number): Promise<unknown> {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `import { workerData } from 'node:worker_threads';
        import { countCall } from './shared-counts.ts';
        for (let call = 0; call < ${calls}; call += 1) countCall(workerData, 'kim', 10);`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: 'node',
    write: false,
  });
  const worker = new Worker(outputFiles[0]?.text ?? '', { eval: true, workerData: counts });
  return new Promise((ended, failed) => {
    worker.on('exit', ended);
    worker.on('error', failed);
  });
}
