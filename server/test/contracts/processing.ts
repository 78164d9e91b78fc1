import { vi } from 'vitest';
import { createFaultSwitch } from '../../src/operations/fault-switch.ts';
import {
  createProcessMessages,
  type ProcessingPorts,
  type ProcessMessages,
} from '../../src/participation/process-messages.ts';
import type { FaultSwitch } from '../../src/ports/fault-switch.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { receiveNow } from './receiving.ts';
import type { TestEngine } from './test-engine.ts';

/** The worker's handling of messages on a tested engine, with what it counts and logs noted. */
export interface Processing {
  readonly process: ProcessMessages;
  readonly faults: FaultSwitch;
  readonly telemetry: ReturnType<typeof notedTelemetry>;
  /** How many requests were reported as finished. */
  finishedCount(): number;
  readonly logger: ReturnType<typeof notedLogger>;
  /** Receives what is visible and processes it; how many messages that were. */
  once(limit?: number): Promise<number>;
  /** The same again and again, back-offs and visibility timeouts passing, until the queue is empty. */
  untilIdle(): Promise<void>;
}

export function createProcessing(
  tested: TestEngine,
  replaced: Partial<ProcessingPorts> = {},
): Processing {
  const { events, queue, settlement } = tested.engine;
  const faults = createFaultSwitch();
  const telemetry = notedTelemetry();
  const logger = notedLogger();
  const ports: ProcessingPorts = {
    events,
    queue,
    settlement,
    faults,
    clock: { now: tested.now },
    chance: { fraction: () => 0.5 },
    telemetry,
    logger,
    ...replaced,
  };
  const process = createProcessMessages(ports, {
    receivesMax: tested.receivesMax,
    backOffMsMax,
  });

  const once = async (limit = 10): Promise<number> => {
    const deliveries = await receiveNow(tested, limit);
    await process(deliveries);
    return deliveries.length;
  };

  return {
    process,
    faults,
    telemetry,
    finishedCount: () => telemetry.finished.mock.calls.flatMap(([requests]) => requests).length,
    logger,
    once,
    async untilIdle() {
      for (;;) {
        await once();
        const { waiting, inFlight } = await queue.depth();
        if (waiting + inFlight === 0) return;
        await tested.advance(backOffMsMax);
      }
    },
  };
}

function notedTelemetry() {
  return {
    accepted: vi.fn(),
    duplicate: vi.fn(),
    finished: vi.fn<Telemetry['finished']>(),
    attemptFailed: vi.fn(),
    undecodable: vi.fn(),
  };
}

function notedLogger() {
  return { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
}

const backOffMsMax = 60_000;
