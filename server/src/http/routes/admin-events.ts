import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { EventPatch } from '../../domain/change-event.ts';
import type { EventDefinition } from '../../domain/define-event.ts';
import type { EventId } from '../../domain/ids.ts';
import type { EventManager } from '../../operations/manage-events.ts';
import type { SummariseEvent } from '../../operations/summarise-event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Events } from '../../ports/events.ts';
import { pageBody, pageRequest } from '../cursor.ts';
import { operatorEventBody } from '../event-body.ts';
import { type Guards, identityOf } from '../guards.ts';
import { refuse, sendProblem } from '../problem.ts';
import { EventIdParams, NoQuery, PageQuery, pageOf } from '../schemas/common.ts';
import { EventDefinitionSchema, EventPatchSchema } from '../schemas/event.ts';
import { operatorProblems, problems } from '../schemas/problem.ts';

export interface AdminEventRoutes {
  readonly guards: Guards;
  readonly events: Events;
  readonly manager: EventManager;
  readonly summarise: SummariseEvent;
  readonly clock: Clock;
}

export function adminEventRoutes(deps: AdminEventRoutes): FastifyPluginAsyncTypebox {
  const { guards, events, manager, summarise, clock } = deps;
  const bodyOf = async (eventId: EventId) => {
    const event = await events.get(eventId);
    return event && operatorEventBody(event, await events.capacityOf(eventId), clock.now());
  };

  return async (app) => {
    app.addHook('onRequest', guards.operator);

    app.post(
      '/admin/events',
      {
        schema: {
          operationId: 'createEvent',
          summary: 'Create an event',
          tags: ['operators'],
          querystring: NoQuery,
          body: EventDefinitionSchema,
          response: {
            201: Type.Ref('OperatorEvent'),
            ...problems(...operatorProblems, 'EVENT_EXISTS'),
          },
        },
      },
      async (request, reply) => {
        const definition = request.body as EventDefinition & { eventId?: EventId };
        const managed = await manager.create(definition, identityOf(request).userId);
        if (managed.kind === 'refused') return refuse(reply, managed);
        const { eventId } = managed.event;
        return reply
          .code(201)
          .header('location', `/admin/events/${eventId}`)
          .send(await bodyOf(eventId));
      },
    );

    app.get(
      '/admin/events',
      {
        schema: {
          operationId: 'listEvents',
          summary: 'All events, in the order of their ids',
          tags: ['operators'],
          querystring: PageQuery,
          response: {
            200: pageOf(Type.Ref('OperatorEvent')),
            ...problems(...operatorProblems, 'INVALID_CURSOR'),
          },
        },
      },
      async (request) => {
        const { items, next } = await events.list(pageRequest('admin-events', request.query));
        const bodies = await Promise.all(items.map(({ eventId }) => bodyOf(eventId)));
        return pageBody('admin-events', { items: bodies, next }, (body) => body);
      },
    );

    app.get(
      '/admin/events/:eventId',
      {
        schema: {
          operationId: 'showEvent',
          summary: 'One event',
          tags: ['operators'],
          params: EventIdParams,
          querystring: NoQuery,
          response: {
            200: Type.Ref('OperatorEvent'),
            ...problems(...operatorProblems, 'EVENT_NOT_FOUND'),
          },
        },
      },
      async (request, reply) =>
        (await bodyOf(request.params.eventId as EventId)) ?? sendProblem(reply, 'EVENT_NOT_FOUND'),
    );

    app.patch(
      '/admin/events/:eventId',
      {
        schema: {
          operationId: 'changeEvent',
          summary: 'Change title, times or status, or raise the capacity',
          tags: ['operators'],
          params: EventIdParams,
          querystring: NoQuery,
          body: EventPatchSchema,
          response: {
            200: Type.Ref('OperatorEvent'),
            ...problems(
              ...operatorProblems,
              'EVENT_NOT_FOUND',
              'EVENT_ALREADY_OPEN',
              'EVENT_CLOSED',
              'EVENT_END_PAST',
              'EVENT_END_TOO_LATE',
              'EVENT_SOLD_OUT',
              'CAPACITY_NOT_RAISED',
            ),
          },
        },
      },
      async (request, reply) => {
        const eventId = request.params.eventId as EventId;
        const patch = request.body as EventPatch;
        const managed = await manager.change(eventId, patch, identityOf(request).userId);
        return managed.kind === 'refused' ? refuse(reply, managed) : bodyOf(eventId);
      },
    );

    app.get(
      '/admin/events/:eventId/summary',
      {
        schema: {
          operationId: 'summariseEvent',
          summary: 'Counts, capacity, delays and fairness of an event',
          tags: ['operators'],
          params: EventIdParams,
          querystring: NoQuery,
          response: {
            200: Type.Ref('EventSummary'),
            ...problems(...operatorProblems, 'EVENT_NOT_FOUND'),
          },
        },
      },
      async (request, reply) => {
        const summarised = await summarise(request.params.eventId as EventId);
        return summarised.kind === 'refused' ? refuse(reply, summarised) : summarised.summary;
      },
    );
  };
}
