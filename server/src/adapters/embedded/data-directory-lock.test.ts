import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../test/support/manual-clock.ts';
import {
  createManualTimers,
  type ManualTimers,
  nextTurn,
  until,
} from '../../../test/support/manual-timers.ts';
import { DataDirectoryInUse, lockDataDirectory } from './data-directory-lock.ts';

describe('the lock of a data directory', () => {
  let directory: string;
  let clock: ManualClock;
  let timers: ManualTimers;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'fairline-lock-'));
    clock = createManualClock();
    timers = createManualTimers(clock);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('refuses a second opener, naming directory, holder and way out', async () => {
    const lock = await lockDataDirectory(directory, timers);
    const second = lockDataDirectory(directory, timers);
    await expect(second).rejects.toBeInstanceOf(DataDirectoryInUse);
    await expect(second).rejects.toThrow(
      `The data directory ${directory} is in use by process ${process.pid}. Stop that process, or set FAIRLINE_DATA_DIR to another directory.`,
    );
    await lock.release();
  });

  test('is free after its release', async () => {
    for (let time = 0; time < 3; time += 1) {
      const lock = await lockDataDirectory(directory, timers);
      await lock.release();
    }
  });

  test('belongs to the directory, whatever path leads there', async () => {
    const lock = await lockDataDirectory(directory, timers);
    const link = `${directory}-link`;
    symlinkSync(directory, link);
    try {
      await expect(lockDataDirectory(link, timers)).rejects.toBeInstanceOf(DataDirectoryInUse);
    } finally {
      rmSync(link);
      await lock.release();
    }
  });

  test('other directories have locks of their own', async () => {
    const other = mkdtempSync(join(tmpdir(), 'fairline-lock-'));
    const locks = [
      await lockDataDirectory(directory, timers),
      await lockDataDirectory(other, timers),
    ];
    for (const lock of locks) await lock.release();
    rmSync(other, { recursive: true });
  });

  test('a holder that is stopping is waited for', async () => {
    const first = await lockDataDirectory(directory, timers);
    first.announceStop();
    const second = lockDataDirectory(directory, timers);
    for (let look = 0; look < 3; look += 1) {
      await until(() => timers.sleeping === 1);
      clock.move(100);
    }
    await until(() => timers.sleeping === 1);
    await first.release();
    clock.move(100);
    await (await second).release();
  });

  test('but not for ever', async () => {
    const first = await lockDataDirectory(directory, timers);
    first.announceStop();
    let refusal: unknown;
    void lockDataDirectory(directory, timers).catch((error: unknown) => {
      refusal = error;
    });
    while (refusal === undefined) {
      clock.move(100);
      await nextTurn();
    }
    expect(refusal).toBeInstanceOf(DataDirectoryInUse);
    await first.release();
  });

  test('of several who wait exactly one gets it', async () => {
    const first = await lockDataDirectory(directory, timers);
    first.announceStop();
    const waiting = [1, 2, 3].map(() => lockDataDirectory(directory, timers));
    await until(() => timers.sleeping === waiting.length);
    await first.release();
    clock.move(100);
    const outcomes = await Promise.allSettled(waiting);
    const locks = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    expect(locks).toHaveLength(1);
    for (const lock of locks) await lock.release();
  });
});
