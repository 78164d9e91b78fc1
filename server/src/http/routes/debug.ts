import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { EventId } from '../../domain/ids.ts';
import type { Events } from '../../ports/events.ts';
import type { FaultSwitch } from '../../ports/fault-switch.ts';
import type { Guards } from '../guards.ts';
import { sendProblem } from '../problem.ts';
import { NoQuery } from '../schemas/common.ts';
import { FaultSchema } from '../schemas/operations.ts';
import { operatorProblems, problems } from '../schemas/problem.ts';

/** Registered in development only. */
export function debugRoutes(
  guards: Guards,
  events: Events,
  faults: FaultSwitch,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/debug/faults',
      {
        onRequest: guards.operator,
        schema: {
          operationId: 'armFaults',
          summary: 'Make the worker fail the next handlings of an event (development)',
          tags: ['development'],
          querystring: NoQuery,
          body: FaultSchema,
          response: { 200: FaultSchema, ...problems(...operatorProblems, 'EVENT_NOT_FOUND') },
        },
      },
      async (request, reply) => {
        const { eventId, kind, count } = request.body;
        const event = await events.get(eventId as EventId);
        if (event === undefined) return sendProblem(reply, 'EVENT_NOT_FOUND');
        faults.arm(event.eventId, kind, count);
        return { eventId, kind, count };
      },
    );
  };
}
