import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { sendProblem } from '../problem.ts';
import { NoQuery } from '../schemas/common.ts';
import { problems } from '../schemas/problem.ts';

export interface Health {
  readonly isStopping: () => boolean;
  /** Rejects when a dependency does not answer. */
  readonly check: () => Promise<void>;
}

export function healthRoutes({ isStopping, check }: Health): FastifyPluginAsyncTypebox {
  const ok = Type.Object({ status: Type.Literal('ok') });
  return async (app) => {
    app.get(
      '/healthz',
      {
        schema: {
          operationId: 'health',
          summary: 'The process lives',
          tags: ['health'],
          security: [],
          querystring: NoQuery,
          response: { 200: ok },
        },
      },
      async () => ({ status: 'ok' as const }),
    );

    app.get(
      '/readyz',
      {
        schema: {
          operationId: 'readiness',
          summary: 'Its dependencies answer, and it is not stopping',
          tags: ['health'],
          security: [],
          querystring: NoQuery,
          response: { 200: ok, ...problems('UNAVAILABLE') },
        },
      },
      async (_request, reply) => {
        if (isStopping()) return sendProblem(reply, 'UNAVAILABLE', 'Stopping.');
        await check();
        return { status: 'ok' as const };
      },
    );
  };
}
