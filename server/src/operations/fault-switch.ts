import type { EventId } from '../domain/ids.ts';
import type { FaultKind, FaultSwitch } from '../ports/fault-switch.ts';

export function createFaultSwitch(): FaultSwitch {
  const armed = new Map<EventId, { kind: FaultKind; count: number }>();
  return {
    arm(eventId, kind, count) {
      if (count === 0) armed.delete(eventId);
      else armed.set(eventId, { kind, count });
    },
    take(eventId) {
      const fault = armed.get(eventId);
      if (fault === undefined) return undefined;
      fault.count -= 1;
      if (fault.count === 0) armed.delete(eventId);
      return fault.kind;
    },
  };
}

export const noFaults: FaultSwitch = { arm: () => {}, take: () => undefined };
