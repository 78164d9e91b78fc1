import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { EventId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Events } from '../../ports/events.ts';
import { pageBody, pageRequest } from '../cursor.ts';
import { eventBody } from '../event-body.ts';
import { sendProblem } from '../problem.ts';
import { EventIdParams, NoQuery, PageQuery, pageOf } from '../schemas/common.ts';
import { problems } from '../schemas/problem.ts';

export function eventRoutes(events: Events, clock: Clock): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/events',
      {
        schema: {
          operationId: 'events',
          summary: 'Events, in the order of their ids',
          tags: ['participants'],
          security: [],
          querystring: PageQuery,
          response: {
            200: pageOf(Type.Ref('Event')),
            ...problems('INVALID_REQUEST', 'INVALID_CURSOR'),
          },
        },
      },
      async (request) => {
        const { items, next } = await events.list(pageRequest('events', request.query));
        const capacities = await Promise.all(
          items.map(({ eventId }) => events.capacityOf(eventId)),
        );
        const now = clock.now();
        const bodies = items.map((event, index) => eventBody(event, capacities[index], now));
        return pageBody('events', { items: bodies, next }, (body) => body);
      },
    );

    app.get(
      '/events/:eventId',
      {
        schema: {
          operationId: 'event',
          summary: 'One event',
          tags: ['participants'],
          security: [],
          params: EventIdParams,
          querystring: NoQuery,
          response: {
            200: Type.Ref('Event'),
            ...problems('INVALID_REQUEST', 'EVENT_NOT_FOUND'),
          },
        },
      },
      async (request, reply) => {
        const event = await events.get(request.params.eventId as EventId);
        if (event === undefined) return sendProblem(reply, 'EVENT_NOT_FOUND');
        return eventBody(event, await events.capacityOf(event.eventId), clock.now());
      },
    );
  };
}
