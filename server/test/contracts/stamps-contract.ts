import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedEvent } from './first-come-event.ts';
import { enterInTurn, storedRequest } from './taking-part.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

/** For engines of one node, which alone stamps what it admits. */
export function stampsContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: stamps`, () => {
    let tested: TestEngine;
    beforeEach(async () => {
      tested = await createEngine();
    });
    afterEach(() => tested.close());

    test('queue times and ids never go back, also after a restart with a clock that did', async () => {
      const event = await storedEvent(tested);
      const before = await enterInTurn(tested, event, 3, 'early');
      await tested.restart({ clockBackMs: 3_600_000 });
      const after = await enterInTurn(tested, event, 3, 'late');

      const ids = [...before, ...after];
      expect(ids).toEqual([...ids].sort());
      const times = await Promise.all(ids.map((id) => storedRequest(tested, id)));
      const queuedAt = times.map((request) => request.queuedAt ?? 0);
      expect(queuedAt).toEqual([...queuedAt].sort((a, b) => a - b));
    });
  });
}
