import type { ListenOptions } from 'node:net';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { systemTimers } from '../adapters/system/system-timers.ts';
import { answerAcross } from '../adapters/threads/turn-calls.ts';
import type { Config } from '../config.ts';
import type { SharedCounts } from '../http/shared-counts.ts';
import type { RequestReader } from '../participation/read-request.ts';
import type { SubmitParticipation } from '../participation/submit-participation.ts';
import { readCodecs, submitCodecs } from './gate-calls.ts';

/** Where the main thread answers what gates hand over, and how they show that they are gates. */
export interface MainSocket {
  readonly path: string;
  readonly secret: string;
}

export interface GateTask {
  readonly config: Config;
  readonly index: number;
  readonly callCounts: SharedCounts;
  readonly connectionCounts: Int32Array;
  readonly lags: Float64Array;
  readonly ports: { readonly submit: MessagePort; readonly read: MessagePort };
  readonly mainSocket: MainSocket;
  readonly isTerminal: boolean;
}

type ListenOn = ListenOptions | { readonly fd: number };

export type ToGate = { readonly listenOn: ListenOn } | 'drain';

/** What a gate tells first, after it has loaded; then where it listens; then that it is drained. */
export interface Listening {
  readonly port: number;
  readonly fd: number;
}

export interface Gates {
  readonly port: number;
  /** The worst of their event loops, in seconds. */
  lag(): number;
  connectionCount(): number;
  /** Resolves when everything that was under way is answered, or after ten seconds. */
  drain(): Promise<void>;
  end(): Promise<void>;
}

export interface GateParts {
  readonly config: Config;
  readonly callCounts: SharedCounts;
  readonly mainSocket: MainSocket;
  readonly submit: SubmitParticipation;
  readonly reader: RequestReader;
}

export async function startGates(parts: GateParts): Promise<Gates> {
  const { config, callCounts, mainSocket, submit, reader } = parts;
  const count = config.gateThreads;
  const connectionCounts = new Int32Array(new SharedArrayBuffer(4 * count));
  const lags = new Float64Array(new SharedArrayBuffer(8 * count));

  const threads = Array.from({ length: count }, (_, index) => {
    const submitting = new MessageChannel();
    const reading = new MessageChannel();
    answerAcross(submitting.port1, systemTimers, submitCodecs, ({ eventId, userId }) =>
      submit(eventId, userId),
    );
    answerAcross(reading.port1, systemTimers, readCodecs, ({ requestId, viewer }) =>
      reader.byId(requestId, viewer),
    );
    const ports = { submit: submitting.port2, read: reading.port2 };
    const task: GateTask = {
      config,
      index,
      callCounts,
      connectionCounts,
      lags,
      ports,
      mainSocket,
      isTerminal: process.stdout.isTTY,
    };
    return new Worker(new URL('./gate-thread.js', import.meta.url), {
      workerData: task,
      transferList: [ports.submit, ports.read],
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMbMax },
    });
  });

  const end = async (): Promise<void> => {
    await Promise.all(threads.map((thread) => thread.terminate()));
  };

  /** The first opens the port, the others listen on what it opened. */
  const open = async (): Promise<number> => {
    await Promise.all(threads.map((thread) => nextMessage(thread)));
    let listenOn: ListenOn = { host: config.host, port: config.port, backlog };
    let openedPort = config.port;
    for (const thread of threads) {
      thread.postMessage({ listenOn } satisfies ToGate);
      const { port, fd } = await nextMessage<Listening>(thread);
      openedPort = port;
      listenOn = { fd };
    }
    return openedPort;
  };

  const port = await open().catch(async (error: unknown) => {
    await end();
    throw error;
  });

  return {
    port,
    lag: () => Math.max(...lags),
    connectionCount: () => connectionCounts.reduce((sum, connections) => sum + connections, 0),
    async drain() {
      const drained = threads.map((thread) => {
        thread.postMessage('drain' satisfies ToGate);
        return nextMessage(thread);
      });
      const cut = new AbortController();
      await Promise.race([Promise.all(drained), systemTimers.sleep(drainDeadlineMs, cut.signal)]);
      cut.abort();
    },
    end,
  };
}

/** Between its messages an error of a gate is one of the process: nobody would answer for it. */
function nextMessage<Message>(thread: Worker): Promise<Message> {
  return new Promise((received, failed) => {
    thread.once('error', failed);
    thread.once('message', (message: Message) => {
      thread.off('error', failed);
      received(message);
    });
  });
}

/** Connections of a burst that wait to be accepted; the system may allow fewer. */
export const backlog = 4096;
const youngGenerationMbMax = 16;
const drainDeadlineMs = 10_000;
