import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../adapters/opentelemetry/telemetry.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { systemIds } from '../adapters/system/system-ids.ts';
import { systemTimers } from '../adapters/system/system-timers.ts';
import type { Config } from '../config.ts';
import { createApp } from '../http/app.ts';
import { readGateHeader } from '../http/hand-over.ts';
import { adminEventRoutes } from '../http/routes/admin-events.ts';
import { adminOperationRoutes } from '../http/routes/admin-operations.ts';
import { adminRequestRoutes } from '../http/routes/admin-requests.ts';
import { debugRoutes } from '../http/routes/debug.ts';
import { eventRoutes } from '../http/routes/events.ts';
import { healthRoutes } from '../http/routes/health.ts';
import { metricsRoutes } from '../http/routes/metrics.ts';
import { myParticipationRoutes } from '../http/routes/my-participations.ts';
import { pageRoutes } from '../http/routes/pages.ts';
import { participationRoutes } from '../http/routes/participations.ts';
import { type RequestStreams, requestStreamRoutes } from '../http/routes/request-stream.ts';
import { sessionRoutes } from '../http/routes/session.ts';
import type { SharedCounts } from '../http/shared-counts.ts';
import { createDeadLetterOperations } from '../operations/dead-letters.ts';
import { createManageEvents, type EventManager } from '../operations/manage-events.ts';
import { createRecordAudit } from '../operations/record-audit.ts';
import { createRequeueRequest } from '../operations/requeue-request.ts';
import { createSummariseEvent } from '../operations/summarise-event.ts';
import { createListEventRequests } from '../participation/list-event-requests.ts';
import { createReadRequest, type RequestReader } from '../participation/read-request.ts';
import {
  createSubmitParticipation,
  type SubmitParticipation,
} from '../participation/submit-participation.ts';
import type { Engine } from '../ports/engine.ts';
import type { FaultSwitch } from '../ports/fault-switch.ts';
import type { Logger } from '../ports/logger.ts';
import type { TokenVerifier } from '../ports/token-verifier.ts';
import { composeGuards, sessionCookieOf } from './compose-guards.ts';

export interface Api {
  readonly app: FastifyInstance;
  readonly streams: RequestStreams;
  readonly manager: EventManager;
  readonly submit: SubmitParticipation;
  readonly reader: RequestReader;
}

export interface ApiParts {
  readonly config: Config;
  readonly engine: Engine;
  readonly verifier: TokenVerifier;
  readonly faults: FaultSwitch;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly isStopping: () => boolean;
  readonly callCounts: SharedCounts;
  /** What gates show when they tell whose request they pass on. */
  readonly gateSecret: string;
}

export async function composeApi(parts: ApiParts): Promise<Api> {
  const { config, engine, verifier, faults, metrics, logger, isStopping, callCounts } = parts;
  const { events, admission, requests, line, statistics, redelivery, audit } = engine;
  const clock = systemClock;
  const timers = systemTimers;

  const cookieName = sessionCookieOf(config);
  const guards = composeGuards(config, verifier, callCounts);

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
    participationRoutes({ guards, submit, readRequest: reader.byId }),
    myParticipationRoutes({ guards, reader, requests, line }),
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
    isDocumented: true,
    beforeAll(request, _reply, done) {
      readGateHeader(request.raw, parts.gateSecret);
      done();
    },
    routes: [...ownRoutes, ...(config.roles.has('api') ? apiRoutes : [])],
  });
  return { app, streams: stream.streams, manager, submit, reader };
}

const webFolder = fileURLToPath(new URL('../../../web/public', import.meta.url));
/** Each holds a connection, buffers and timers; who comes after polls. */
const streamsMax = 1000;
