import type { ProcessMessages } from '../participation/process-messages.ts';
import type { Queue } from '../ports/queue.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Pace } from './pace.ts';

export interface Worker {
  start(): void;
  /** Takes nothing new and resolves when everything it holds is finished or given back. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  readonly concurrency: number;
  readonly batchMax: number;
}

/** Receives, handles, and receives again: `concurrency` times side by side. */
export function createWorker(
  queue: Queue,
  process: ProcessMessages,
  breaker: CircuitBreaker,
  pace: Pace,
  options: WorkerOptions,
): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void>[] = [];

  const receiveAndProcess = async (): Promise<void> => {
    const limit = await pace.allow(options.batchMax, signal);
    if (limit === 0) return;
    const deliveries = await queue.receive(limit, pollWaitMs, signal);
    pace.refund(limit - deliveries.length);
    if (deliveries.length > 0) await process(deliveries);
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) await breaker.run(receiveAndProcess, signal);
  };

  return {
    start() {
      running = Array.from({ length: options.concurrency }, run);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** The longest that SQS lets a receive wait. */
const pollWaitMs = 20_000;
