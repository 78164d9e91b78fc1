import cors from '@fastify/cors';
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { trackMethods } from './allowed-methods.ts';
import { addSchemas, registerDocumentation } from './documentation.ts';
import { createErrorHandler } from './error-handler.ts';
import { sendProblem, traceHeader } from './problem.ts';
import { createValidatorCompiler } from './validation.ts';

export interface AppOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly trustedProxies: number;
  readonly corsOrigins: readonly string[];
  readonly isSecure: boolean;
  /** Begins every trace id, so that those of several threads differ. */
  readonly traceIdPrefix?: string;
  /** Sees every request first, also one that has no route here. */
  readonly beforeAll?: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
  readonly isDocumented?: boolean;
  /** Registered in this order, one line a route file in the composition root. */
  readonly routes: readonly FastifyPluginAsync[];
}

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    // Ours is used in the one place that logs; Fastify would make a child logger for every request.
    logger: false,
    bodyLimit: bodyBytesMax,
    trustProxy:
      options.trustedProxies === 0 ? false : (_address, hop) => hop < options.trustedProxies,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: 'idle',
    genReqId: createTraceIds(options.traceIdPrefix ?? ''),
  });

  app.setValidatorCompiler(createValidatorCompiler());
  app.setErrorHandler(createErrorHandler(options.logger, options.clock));
  acceptEmptyJson(app);
  app.decorateRequest('identity', null);

  const fixedHeaders = securityHeaders(options.isSecure);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixedHeaders);
    // A problem always carries the id; other answers have no log line to find by it.
    if (request.headers[traceHeader] !== undefined) reply.header(traceHeader, request.id);
    if (options.beforeAll === undefined) done();
    else options.beforeAll(request, reply, done);
  });

  const methodsOf = trackMethods(app);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(new URL(request.url, 'http://localhost').pathname);
    if (allowed.length === 0) return sendProblem(reply, 'NOT_FOUND');
    reply.header('allow', allowed.join(', '));
    return sendProblem(reply, 'METHOD_NOT_ALLOWED');
  });

  if (options.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...options.corsOrigins],
      credentials: true,
      exposedHeaders: ['location', 'retry-after', 'x-request-id'],
    });
  }
  addSchemas(app);
  if (options.isDocumented) await registerDocumentation(app);
  for (const routes of options.routes) await app.register(routes);
  return app;
}

/** A press of the button has no body, whatever content type a client library adds to it. */
function acceptEmptyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else void parseJson(request, String(body), done);
  });
}

/** API answers are data: nothing may run, frame or sniff them, and nobody keeps them. */
function securityHeaders(isSecure: boolean): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

/** Unique within the process is enough to find a line in its log; an own header is taken over. */
function createTraceIds(
  prefix: string,
): (raw: { headers: { [name: string]: string | string[] | undefined } }) => string {
  let last = 0;
  return ({ headers }) => {
    const given = headers[traceHeader];
    if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given;
    last += 1;
    return prefix + last.toString(36);
  };
}

const bodyBytesMax = 16 * 1024;
