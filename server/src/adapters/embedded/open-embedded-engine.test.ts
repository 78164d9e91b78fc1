import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedEvent } from '../../../test/contracts/first-come-event.ts';
import { settleAll } from '../../../test/contracts/receiving.ts';
import { enterInTurn, storedRequest } from '../../../test/contracts/taking-part.ts';
import { openEmbeddedTestEngine } from '../../../test/support/embedded-engine.ts';
import { createManualClock } from '../../../test/support/manual-clock.ts';
import { createManualTimers } from '../../../test/support/manual-timers.ts';
import { encodeJson, openEnvironment } from './lmdb-environment.ts';
import { openEmbeddedEngine } from './open-embedded-engine.ts';

describe('opening the embedded engine', () => {
  let parent: string;
  let dataDirectory: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'fairline-open-'));
    dataDirectory = join(parent, 'some', 'where');
  });
  afterEach(() => rm(parent, { recursive: true }));

  const open = () => {
    const clock = createManualClock();
    const options = {
      dataDirectory,
      durability: 'flush',
      statusLog: 'exceptions',
      visibilityMs: 30_000,
      receivesMax: 5,
    } as const;
    return openEmbeddedEngine(options, clock, createManualTimers(clock));
  };

  const setFormat = async (format: number): Promise<void> => {
    const env = openEnvironment(join(dataDirectory, 'store'), 'flush');
    await env.write(() => env.meta.put(Buffer.from('format'), encodeJson(format)));
    await env.close();
  };

  test('makes the directory, and answers that it can keep things', async () => {
    const engine = await open();
    await engine.check();
    await engine.close();
    await (await open()).close();
  });

  test('a directory that is open is refused to a second opener, and free after the close', async () => {
    const engine = await open();
    await expect(open()).rejects.toThrow('is in use by process');
    await engine.close();
    await (await open()).close();
  });

  test('data of another format is refused, untouched', async () => {
    await (await open()).close();
    await setFormat(2);
    await expect(open()).rejects.toThrow(
      'The data directory holds format 2; this version reads format 1.',
    );
  });

  test('a refused format leaves the directory free', async () => {
    await (await open()).close();
    await setFormat(2);
    await expect(open()).rejects.toThrow('holds format 2');
    await setFormat(1);
    await (await open()).close();
  });

  test('a directory that cannot be made is named in the error', async () => {
    await writeFile(join(parent, 'some'), 'a file in the way');
    await expect(open()).rejects.toThrow(`The data directory ${dataDirectory} cannot be written`);
  });
});

describe('the embedded engine’s options', () => {
  test.each(['flush', 'commit'] as const)(
    'with durability %s what was answered is kept',
    async (durability) => {
      const tested = await openEmbeddedTestEngine({ durability });
      const event = await storedEvent(tested, { capacityTotal: 2 });
      const ids = await enterInTurn(tested, event, 3);
      await tested.restart();
      await settleAll(tested, event);
      const requests = await Promise.all(ids.map((id) => storedRequest(tested, id)));
      expect(requests.map((request) => request.resultCode)).toEqual([
        'SUCCESS',
        'SUCCESS',
        'REJECTED_CAPACITY',
      ]);
      await tested.close();
    },
  );

  test('with the full status log every change of status is logged', async () => {
    const tested = await openEmbeddedTestEngine({ statusLog: 'all' });
    const event = await storedEvent(tested);
    const [requestId] = await enterInTurn(tested, event, 1);
    await settleAll(tested, event);
    const log = requestId === undefined ? [] : await tested.engine.requests.logOf(requestId);
    expect(log.map((change) => change.toStatus)).toEqual([
      'RECEIVED',
      'QUEUED',
      'PROCESSING',
      'SUCCEEDED',
    ]);
    await tested.close();
  });
});
