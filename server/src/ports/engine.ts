import type { Admission } from './admission.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Events } from './events.ts';
import type { Line } from './line.ts';
import type { Queue } from './queue.ts';
import type { Redelivery } from './redelivery.ts';
import type { RequestChanges } from './request-changes.ts';
import type { Requests } from './requests.ts';
import type { Settlement } from './settlement.ts';
import type { Statistics } from './statistics.ts';

/** Every port of the core, as one engine offers them. Use cases take the ports, never the engine. */
export interface Engine {
  readonly admission: Admission;
  readonly events: Events;
  readonly requests: Requests;
  readonly queue: Queue;
  readonly settlement: Settlement;
  readonly deadLetters: DeadLetters;
  readonly redelivery: Redelivery;
  readonly statistics: Statistics;
  readonly line: Line;
  readonly changes: RequestChanges;
  readonly audit: AuditTrail;
  /** How long another process may still go by an event's earlier definition. */
  readonly configCacheMs: number;
  readonly indexShardsDefault: number;
  /** Removes some of what has expired; true when there may be more. */
  sweep(): Promise<boolean>;
  /** Rejects when the engine cannot keep anything right now. */
  check(): Promise<void>;
  /** A clean end is near: whoever waits for this engine's place may go on waiting. */
  announceStop(): void;
  close(): Promise<void>;
}
