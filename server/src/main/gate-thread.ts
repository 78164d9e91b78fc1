import { parentPort, workerData } from 'node:worker_threads';
import { openEmbeddedReader } from '../adapters/embedded/open-embedded-reader.ts';
import { createLogger } from '../adapters/system/logger.ts';
import { createLoopLag } from '../adapters/system/loop-lag.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { systemTimers } from '../adapters/system/system-timers.ts';
import { callAcross } from '../adapters/threads/turn-calls.ts';
import { invariant } from '../domain/invariant.ts';
import { createApp } from '../http/app.ts';
import { balanceConnections } from '../http/balance-connections.ts';
import { createHandOver } from '../http/hand-over.ts';
import { sendProblem } from '../http/problem.ts';
import { participationRoutes } from '../http/routes/participations.ts';
import { createReadSettled } from '../participation/read-request.ts';
import { composeGuards } from './compose-guards.ts';
import { createTokenVerifier } from './create-token-verifier.ts';
import { readCodecs, submitCodecs } from './gate-calls.ts';
import type { GateTask, Listening, ToGate } from './gates.ts';

/**
 * A thread that answers the two calls that everybody makes: it admits through the main thread and
 * reads what is settled by itself. Everything else it hands over.
 */
const lagIntervalMs = 1000;
const drainCheckMs = 10;
const { config, index, callCounts, connectionCounts, lags, ports, mainSocket, isTerminal } =
  workerData as GateTask;
invariant(parentPort !== null, 'A gate is a thread.');
const main = parentPort;
const logger = createLogger(isTerminal);
const verifier = createTokenVerifier(config, systemClock, logger);
const submitting = callAcross(ports.submit, systemTimers, submitCodecs);
const reading = callAcross(ports.read, systemTimers, readCodecs);
const handOver = createHandOver(mainSocket.path, mainSocket.secret);
const { requests } = openEmbeddedReader(config);
let isStopping = false;

const app = await createApp({
  logger,
  clock: systemClock,
  trustedProxies: config.trustedProxies,
  corsOrigins: config.corsOrigins,
  isSecure: !config.isDevelopment,
  traceIdPrefix: `${index + 1}-`,
  routes: [
    participationRoutes({
      guards: composeGuards(config, verifier, callCounts),
      submit: (eventId, userId) => submitting.call({ eventId, userId }),
      readRequest: createReadSettled(requests, (requestId, viewer) =>
        reading.call({ requestId, viewer }),
      ),
    }),
  ],
  beforeAll(request, reply, done) {
    if (isStopping) {
      reply.header('connection', 'close');
      sendProblem(reply, 'UNAVAILABLE', 'Stopping.');
      return;
    }
    if (request.is404) {
      reply.hijack();
      handOver.pass(request.raw, reply.raw);
      return;
    }
    if (isSurplus(request.raw.socket)) reply.header('connection', 'close');
    done();
  },
});
await app.ready();
const isSurplus = balanceConnections(app.server, index, connectionCounts);
const loopLag = createLoopLag();
systemTimers.every(lagIntervalMs, () => {
  lags[index] = loopLag.read();
});
main.on('message', (message: ToGate) => {
  if (message === 'drain') void drain();
  else app.server.listen(message.listenOn, () => main.postMessage(listening()));
});
main.postMessage('loaded');

function listening(): Listening {
  const address = app.server.address();
  invariant(address !== null && typeof address === 'object', 'A gate listens on a port.');
  return { port: address.port, fd: listenerOf(app.server) };
}

async function drain(): Promise<void> {
  isStopping = true;
  while (submitting.openCount + reading.openCount + handOver.openCount > 0) {
    await systemTimers.sleep(drainCheckMs);
  }
  main.postMessage('drained');
}

/**
 * Node shares a listening socket between threads by its number only, and tells that number only
 * here. Whichever thread ends first would close it for all: gates end together, last of all.
 */
function listenerOf(server: object): number {
  const { _handle: handle } = server as { _handle: { readonly fd: number } };
  return handle.fd;
}
