import { vi } from 'vitest';
import { createCallInBatches } from '../../../src/adapters/aws/sqs-batches.ts';
import { encodeSqsMessage } from '../../../src/adapters/aws/sqs-message.ts';
import { createSqsQueue, type SqsQueue } from '../../../src/adapters/aws/sqs-queue.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import type { EventId, RequestId } from '../../../src/domain/ids.ts';
import type { Delivery } from '../../../src/ports/queue.ts';
import { createManualClock } from '../manual-clock.ts';
import { createManualTimers } from '../manual-timers.ts';
import { createTestSqs, type TestSqs } from './test-sqs.ts';

/** An SQS queue on a clock that only the test moves: the emulator goes by the process's own. */
export interface TestSqsQueue extends TestSqs {
  readonly queue: SqsQueue;
  readonly visibilityMs: number;
  /** How many receives hold back what they have. */
  readonly holding: number;
  advance(ms: number): void;
  /** Sends the numbered messages, one after the other. */
  put(...numbers: readonly number[]): Promise<void>;
  receiveNow(limit?: number): Promise<readonly Delivery[]>;
}

export async function createTestSqsQueue(
  options: { readonly holdMs?: number } = {},
): Promise<TestSqsQueue> {
  const clock = createManualClock();
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
  const timers = createManualTimers(clock);
  const tested = await createTestSqs();
  const queue = createSqsQueue(
    tested.sqs,
    tested.queueUrl,
    createCallInBatches(timers, { fraction: () => 0 }),
    systemClock,
    timers,
    silent,
    { visibilityMs, holdMs: options.holdMs ?? 0 },
  );

  return {
    ...tested,
    queue,
    visibilityMs,
    get holding() {
      return timers.sleeping;
    },
    advance(ms) {
      vi.setSystemTime(clock.now() + ms);
      clock.move(ms);
    },
    async put(...numbers) {
      for (const number of numbers) {
        await tested.sendRaw(
          encodeSqsMessage({ eventId, requestId: idOf(number), redriven: false }),
        );
      }
    },
    receiveNow: (limit = 10) => queue.receive(limit, 0, new AbortController().signal),
    async stop() {
      await tested.stop();
      vi.useRealTimers();
    },
  };
}

export const eventId = 'spring' as EventId;

export function idOf(number: number): RequestId {
  return `019ca6b1-dc00-7000-8000-${String(number).padStart(12, '0')}` as RequestId;
}

const visibilityMs = 30_000;
const silent = { info() {}, warn() {}, error() {} };
