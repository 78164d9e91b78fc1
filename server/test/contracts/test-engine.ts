import type { EventId, RequestId } from '../../src/domain/ids.ts';
import type { Engine } from '../../src/ports/engine.ts';

/**
 * An engine under test and what a suite may do to it beyond the ports. A fixture starts empty,
 * on a clock that only the suite moves.
 */
export interface TestEngine {
  /** The engine that is open now: another one after each restart. */
  readonly engine: Engine;
  readonly visibilityMs: number;
  readonly receivesMax: number;
  /** How long a poll takes to come back empty, at most; an emulator waits in real time. */
  readonly pollMs: number;
  /** Whether a delivery that is given back stays counted, as it does where nobody can help it. */
  readonly countsWhatIsGivenBack: boolean;
  now(): number;
  /** Moves the clock and lets everything that waited for it run. */
  advance(ms: number): Promise<void>;
  /** Sets the clock back by that much before the next start; only a restart may see such a thing. */
  restart(options?: { readonly clockBackMs?: number }): Promise<void>;
  /**
   * Puts something into the queue that is no message of ours. Answers the request that it belongs
   * to, or null where an engine cannot tell.
   */
  putUndecodableMessage(eventId: EventId): Promise<RequestId | null>;
  close(): Promise<void>;
}

export type CreateTestEngine = () => Promise<TestEngine>;
