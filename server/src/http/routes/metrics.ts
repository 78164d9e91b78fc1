import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Guards } from '../guards.ts';

/** Open where only we can reach it; in production on the main port, for operators. */
export function metricsRoutes(
  read: () => Promise<string>,
  guard: Guards['operator'] | undefined,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    if (guard !== undefined) app.addHook('onRequest', guard);
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/plain; version=0.0.4; charset=utf-8').send(await read()),
    );
  };
}
