import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../adapters/opentelemetry/telemetry.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { systemIds } from '../adapters/system/system-ids.ts';
import { systemTimers } from '../adapters/system/system-timers.ts';
import type { Config } from '../config.ts';
import { createApp } from '../http/app.ts';
import { createAuthenticate } from '../http/authenticate.ts';
import { createGuards } from '../http/guards.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { adminEventRoutes } from '../http/routes/admin-events.ts';
import { adminOperationRoutes } from '../http/routes/admin-operations.ts';
import { adminRequestRoutes } from '../http/routes/admin-requests.ts';
import { debugRoutes } from '../http/routes/debug.ts';
import { eventRoutes } from '../http/routes/events.ts';
import { healthRoutes } from '../http/routes/health.ts';
import { metricsRoutes } from '../http/routes/metrics.ts';
import { pageRoutes } from '../http/routes/pages.ts';
import { participationRoutes } from '../http/routes/participations.ts';
import { type RequestStreams, requestStreamRoutes } from '../http/routes/request-stream.ts';
import { sessionRoutes } from '../http/routes/session.ts';
import { createDeadLetterOperations } from '../operations/dead-letters.ts';
import { createManageEvents, type EventManager } from '../operations/manage-events.ts';
import { createRecordAudit } from '../operations/record-audit.ts';
import { createRequeueRequest } from '../operations/requeue-request.ts';
import { createSummariseEvent } from '../operations/summarise-event.ts';
import { createListEventRequests } from '../participation/list-event-requests.ts';
import { createReadRequest } from '../participation/read-request.ts';
import { createSubmitParticipation } from '../participation/submit-participation.ts';
import type { Engine } from '../ports/engine.ts';
import type { FaultSwitch } from '../ports/fault-switch.ts';
import type { Logger } from '../ports/logger.ts';
import type { TokenVerifier } from '../ports/token-verifier.ts';

export interface Api {
  readonly app: FastifyInstance;
  readonly streams: RequestStreams;
  readonly manager: EventManager;
}

export interface ApiParts {
  readonly config: Config;
  readonly engine: Engine;
  readonly verifier: TokenVerifier;
  readonly faults: FaultSwitch;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly isStopping: () => boolean;
}

export async function composeApi(parts: ApiParts): Promise<Api> {
  const { config, engine, verifier, faults, metrics, logger, isStopping } = parts;
  const { events, admission, requests, line, statistics, redelivery, audit } = engine;
  const clock = systemClock;
  const timers = systemTimers;

  const cookieName = config.isDevelopment ? 'fairline_session' : '__Host-fairline_session';
  const authenticate = createAuthenticate(verifier, {
    debugHeaders: config.isDevelopment,
    sessionCookie: cookieName,
  });
  const rateLimit = createRateLimit(config.rates, clock);
  const guards = createGuards(authenticate, rateLimit, config.corsOrigins);

  const recordAudit = createRecordAudit(audit, systemIds, clock);
  const manager = createManageEvents(events, systemIds, clock, recordAudit, engine);
  const submit = createSubmitParticipation(events, admission, clock, metrics.telemetry);
  const reader = createReadRequest(events, admission, requests, line);
  const stream = requestStreamRoutes(guards, reader, engine.changes, timers, streamsMax);

  const health = healthRoutes({ isStopping, check: engine.check });
  const metricsGuard = config.isDevelopment ? undefined : guards.operator;
  const openMetrics = config.metricsPort === undefined;
  const ownRoutes = [health, ...(openMetrics ? [metricsRoutes(metrics.read, metricsGuard)] : [])];
  const apiRoutes = [
    participationRoutes({ guards, submit, reader, requests, line }),
    stream.routes,
    eventRoutes(events, clock),
    sessionRoutes(verifier, clock, { cookieName, isSecure: !config.isDevelopment }),
    adminEventRoutes({
      guards,
      events,
      manager,
      summarise: createSummariseEvent(events, statistics),
      clock,
    }),
    adminRequestRoutes({
      guards,
      requests,
      line,
      listEventRequests: createListEventRequests(events, requests, timers),
      requeue: createRequeueRequest(redelivery, clock, recordAudit),
    }),
    adminOperationRoutes(
      guards,
      createDeadLetterOperations(engine.deadLetters, redelivery, events, clock, recordAudit),
      audit,
    ),
    pageRoutes(webFolder),
    ...(config.isDevelopment ? [debugRoutes(guards, events, faults)] : []),
  ];

  const app = await createApp({
    logger,
    clock,
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
    isSecure: !config.isDevelopment,
    routes: [...ownRoutes, ...(config.roles.has('api') ? apiRoutes : [])],
  });
  return { app, streams: stream.streams, manager };
}

const webFolder = fileURLToPath(new URL('../../../web/public', import.meta.url));
/** Each holds a connection, buffers and timers; who comes after polls. */
const streamsMax = 1000;
