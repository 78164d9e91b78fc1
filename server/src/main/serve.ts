import type { FastifyInstance } from 'fastify';
import { createMetrics } from '../adapters/opentelemetry/telemetry.ts';
import { createLogger } from '../adapters/system/logger.ts';
import { systemChance } from '../adapters/system/system-chance.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { systemIds } from '../adapters/system/system-ids.ts';
import { systemTimers } from '../adapters/system/system-timers.ts';
import { type Config, unknownVariables } from '../config.ts';
import { createApp } from '../http/app.ts';
import { metricsRoutes } from '../http/routes/metrics.ts';
import { createSharedCounts } from '../http/shared-counts.ts';
import { createFaultSwitch, noFaults } from '../operations/fault-switch.ts';
import { seedDemoEvents } from '../operations/seed-demo-events.ts';
import { createProcessMessages } from '../participation/process-messages.ts';
import type { Engine } from '../ports/engine.ts';
import type { Logger } from '../ports/logger.ts';
import { createCircuitBreaker } from '../worker/circuit-breaker.ts';
import { createPace, unlimitedPace } from '../worker/pace.ts';
import { createWorker } from '../worker/worker.ts';
import { composeApi } from './compose-api.ts';
import { createTokenVerifier } from './create-token-verifier.ts';
import { backlog, type Gates, startGates } from './gates.ts';
import { openEngine } from './open-engine.ts';

export interface RunningServer {
  readonly address: string;
  /** Answers what is under way, finishes what the worker holds, closes the store. */
  stop(): Promise<void>;
}

export async function serve(
  config: Config,
  logger = createLogger(process.stdout.isTTY),
): Promise<RunningServer> {
  for (const variable of unknownVariables())
    logger.warn({ variable }, 'This variable is not known; ignored.');
  const engine = await openEngine(config, logger);
  const metrics = createMetrics();
  const faults = config.isDevelopment ? createFaultSwitch() : noFaults;
  const verifier = createTokenVerifier(config, systemClock, logger);
  let isStopping = false;
  let gates: Gates | undefined;

  const breaker = createCircuitBreaker(systemTimers, systemChance, (error) =>
    logger.error({ err: error }, 'The worker’s store failed; holding back.'),
  );
  const process = createProcessMessages(
    {
      ...engine,
      faults,
      clock: systemClock,
      chance: systemChance,
      telemetry: metrics.telemetry,
      logger,
    },
    { receivesMax: config.receivesMax, backOffMsMax: config.visibilityMs },
  );
  const pace =
    config.worker.ratePerSecond === 0
      ? unlimitedPace
      : createPace(config.worker.ratePerSecond, systemClock, systemTimers);
  const worker = createWorker(engine.queue, process, breaker, pace, config.worker);

  const callCounts = createSharedCounts(systemChance.fraction() * 2 ** 32);
  const mainSocket = { path: `\0fairline-${systemIds.next()}`, secret: systemIds.next() };
  const api = await composeApi({
    config,
    engine,
    verifier,
    faults,
    metrics,
    logger,
    isStopping: () => isStopping,
    callCounts,
    gateSecret: mainSocket.secret,
  });
  metrics.observe({
    queueDepth: engine.queue.depth,
    deadLetters: engine.deadLetters.depth,
    openStreams: () => api.streams.openCount,
    gateLag: () => gates?.lag() ?? 0,
    gateConnections: () => gates?.connectionCount() ?? 0,
    isBreakerOpen: () => breaker.isOpen,
  });
  const metricsApp = await createMetricsApp(config, metrics.read, logger);
  let sweeping: { stop(): void } | undefined;

  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    engine.announceStop();
    sweeping?.stop();
    api.streams.closeAll();
    await gates?.drain();
    await Promise.all([closeApp(api.app), metricsApp?.close(), worker.stop()]);
    await metrics.close();
    await engine.close();
    await gates?.end();
  };

  const listen = async (): Promise<string> => {
    const { host, port, gateThreads } = config;
    if (gateThreads === 0) return api.app.listen({ host, port, backlog });
    await api.app.listen({ path: mainSocket.path, backlog });
    const { submit, reader } = api;
    gates = await startGates({ config, callCounts, mainSocket, submit, reader });
    return `http://${host.includes(':') ? `[${host}]` : host}:${gates.port}`;
  };

  try {
    if (config.isDevelopment) await seedDemoEvents(api.manager, engine.events, systemClock);
    await metricsApp?.listen({ host: config.host, port: config.metricsPort ?? 0 });
    const address = await listen();
    if (config.roles.has('worker')) worker.start();
    if (config.roles.has('scheduler')) sweeping = sweepRegularly(engine, logger);
    return { address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * What was asked before is answered; a connection that falls idle after that is closed, and one
 * that is still busy at the deadline is cut.
 */
async function closeApp(app: FastifyInstance): Promise<void> {
  const closed = new AbortController();
  const idle = systemTimers.every(50, () => app.server.closeIdleConnections());
  void systemTimers.sleep(closeDeadlineMs, closed.signal).then(() => {
    app.server.closeAllConnections();
  });
  await app.close();
  idle.stop();
  closed.abort();
}

async function createMetricsApp(
  config: Config,
  read: () => Promise<string>,
  logger: Logger,
): Promise<FastifyInstance | undefined> {
  if (config.metricsPort === undefined) return undefined;
  return createApp({
    logger,
    clock: systemClock,
    trustedProxies: 0,
    corsOrigins: [],
    isSecure: false,
    routes: [metricsRoutes(read, undefined)],
  });
}

function sweepRegularly(engine: Engine, logger: Logger): { stop(): void } {
  return systemTimers.every(sweepIntervalMs, async () => {
    try {
      while (await engine.sweep()) await systemTimers.sleep(0);
    } catch (error) {
      logger.error({ err: error }, 'Expired records could not be removed; trying again later.');
    }
  });
}

const sweepIntervalMs = 60_000;
const closeDeadlineMs = 10_000;
