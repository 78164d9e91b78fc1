import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../src/ports/audit-trail.ts';
import { BadPosition } from '../../src/ports/page.ts';
import type { CreateTestEngine, TestEngine } from './test-engine.ts';

export function auditTrailContract(name: string, createEngine: CreateTestEngine): void {
  describe(`${name}: audit trail`, () => {
    let tested: TestEngine;
    beforeEach(async () => {
      tested = await createEngine();
    });
    afterEach(() => tested.close());

    const entryNow = (action: string): AuditEntry => ({
      id: v7(),
      occurredAt: tested.now(),
      operator: 'olga',
      action,
      target: 'sale',
      before: { title: 'Before', nested: [1, null] },
      after: null,
    });

    const listed = async (limit: number): Promise<AuditEntry[]> => {
      const all: AuditEntry[] = [];
      let after: string | null = null;
      do {
        const page = await tested.engine.audit.list({ limit, after });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        all.push(...page.items);
        after = page.next;
      } while (after !== null);
      return all;
    };

    test('what was appended is listed as it was, the latest first, also after a restart', async () => {
      const entries: AuditEntry[] = [];
      for (const action of ['event.create', 'event.change', 'dlq.redrive', 'dlq.delete']) {
        const entry = entryNow(action);
        entries.push(entry);
        await tested.engine.audit.append(entry);
        await tested.advance(5);
      }
      for (const limit of [1, 3, 4, 100]) {
        expect(await listed(limit)).toEqual(entries.toReversed());
      }
      await tested.restart();
      expect(await listed(100)).toEqual(entries.toReversed());
    });

    test('entries of one millisecond are all kept', async () => {
      const entries = Array.from({ length: 10 }, (_, index) => entryNow(`action-${index}`));
      await Promise.all(entries.map((entry) => tested.engine.audit.append(entry)));
      const actions = (await listed(3)).map((entry) => entry.action);
      expect(actions.toSorted()).toEqual(entries.map((entry) => entry.action).toSorted());
    });

    test('an empty trail has an empty list', async () => {
      expect(await tested.engine.audit.list({ limit: 5, after: null })).toEqual({
        items: [],
        next: null,
      });
    });

    test('a position that was never given out is refused', async () => {
      const list = tested.engine.audit.list({ limit: 2, after: 'nowhere' });
      await expect(list).rejects.toBeInstanceOf(BadPosition);
    });
  });
}
