import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newCapacity } from '../../domain/capacity.ts';
import { createLaneBoard, type LaneBoard } from './lane-board.ts';
import { type Environment, encodeJson, openEnvironment } from './lmdb-environment.ts';
import { lmdbKeys } from './lmdb-keys.ts';
import { createLanes, emptyLane } from './lmdb-lanes.ts';
import { newMessage } from './lmdb-messages.ts';

describe('the lane board', () => {
  let directory: string;
  let env: Environment;
  let board: LaneBoard;
  let open: (...eventNos: number[]) => void;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fairline-board-'));
    env = openEnvironment(directory, 'commit');
    await env.write(() => {
      for (const eventNo of [1, 2]) {
        const lane = encodeJson(emptyLane(newCapacity(5, 0)));
        env.lanes.put(lmdbKeys.event(eventNo), lane, 0);
      }
    });
    board = createLaneBoard(env, createLanes(env));
    open = (...eventNos) => eventNos.forEach(board.open);
  });
  afterEach(async () => {
    await env.close();
    await rm(directory, { recursive: true });
  });

  const store = (eventNo: number, ...numbers: number[]) =>
    env.write(() => {
      for (const number of numbers) {
        env.queue.put(lmdbKeys.message(eventNo, Buffer.alloc(16, number)), newMessage);
      }
    });

  test('a lane counts what is stored when it is opened', async () => {
    await store(1, 10, 11, 12);
    await store(2, 20);
    open(1);
    expect(board.laneOf(1).depth).toBe(3);
    expect([...board.nonEmpty()]).toEqual([board.laneOf(1)]);
  });

  test('two admissions that were committed together are counted once each', async () => {
    open(1);
    await store(1, 10);
    await store(1, 11);
    board.grow(1, 1);
    board.grow(1, 1);
    expect(board.laneOf(1).depth).toBe(2);
  });

  test('each ready lane has its turn', async () => {
    await store(1, 10, 11);
    await store(2, 20);
    open(1, 2);
    const turns = [1, 2, 3].map(() => board.nextReady(0)?.eventNo);
    expect(turns).toEqual([1, 2, 1]);
  });

  test('a lane is not ready while a batch flies or a back-off lasts', async () => {
    await store(1, 10);
    open(1);
    const lane = board.laneOf(1);
    lane.flight = { beganAt: 0, until: 100, open: 1 };
    lane.visibleAt = 150;
    expect(board.nextReady(99)).toBeUndefined();
    expect(board.nextVisibleAt()).toBe(150);
    expect(board.nextReady(149)).toBeUndefined();
    expect(board.nextReady(150)).toBe(lane);
  });

  test('whoever waits is woken by growth, once, unless withdrawn before', async () => {
    open(1);
    const [woken, withdrawn] = [vi.fn(), vi.fn()];
    board.onWake(woken);
    board.onWake(withdrawn).withdraw();
    await store(1, 10, 11);
    board.grow(1, 1);
    board.grow(1, 1);
    expect(woken).toHaveBeenCalledTimes(1);
    expect(withdrawn).not.toHaveBeenCalled();
    expect(board.nextReady(0)?.eventNo).toBe(1);
  });
});
