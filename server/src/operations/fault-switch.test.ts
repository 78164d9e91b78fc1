import { describe, expect, test } from 'vitest';
import type { EventId } from '../domain/ids.ts';
import { createFaultSwitch, noFaults } from './fault-switch.ts';

const sale = 'sale' as EventId;
const other = 'other' as EventId;

describe('the fault switch', () => {
  test('fails as often as armed, for that event only', () => {
    const faults = createFaultSwitch();
    faults.arm(sale, 'retryable', 2);
    expect(faults.take(other)).toBeUndefined();
    expect([faults.take(sale), faults.take(sale), faults.take(sale)]).toEqual([
      'retryable',
      'retryable',
      undefined,
    ]);
  });

  test('is armed anew and switched off', () => {
    const faults = createFaultSwitch();
    faults.arm(sale, 'retryable', 9);
    faults.arm(sale, 'nonretryable', 1);
    expect(faults.take(sale)).toBe('nonretryable');
    faults.arm(sale, 'retryable', 9);
    faults.arm(sale, 'retryable', 0);
    expect(faults.take(sale)).toBeUndefined();
  });

  test('where there is none, nothing ever fails', () => {
    noFaults.arm(sale, 'retryable', 9);
    expect(noFaults.take(sale)).toBeUndefined();
  });
});
