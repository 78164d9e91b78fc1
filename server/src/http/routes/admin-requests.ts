import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { EventId, RequestId } from '../../domain/ids.ts';
import { RESULT_CODES, STATUSES } from '../../domain/request.ts';
import { timelineOf } from '../../domain/timeline.ts';
import type { RequeueRequest } from '../../operations/requeue-request.ts';
import type { createListEventRequests } from '../../participation/list-event-requests.ts';
import type { Line } from '../../ports/line.ts';
import type { Requests } from '../../ports/requests.ts';
import { pageBody, pageRequest } from '../cursor.ts';
import { type Guards, identityOf } from '../guards.ts';
import { refuse, sendProblem } from '../problem.ts';
import { operatorRequestBody } from '../request-body.ts';
import {
  EventIdParams,
  literals,
  NoQuery,
  pageOf,
  queryOf,
  RequestIdParams,
} from '../schemas/common.ts';
import { operatorProblems, problems } from '../schemas/problem.ts';

export interface AdminRequestRoutes {
  readonly guards: Guards;
  readonly requests: Requests;
  readonly line: Line;
  readonly listEventRequests: ReturnType<typeof createListEventRequests>;
  readonly requeue: RequeueRequest;
}

export function adminRequestRoutes(deps: AdminRequestRoutes): FastifyPluginAsyncTypebox {
  const { guards, requests, line, listEventRequests, requeue } = deps;
  const bodyOf = async (requestId: RequestId) => {
    const request = await requests.get(requestId);
    return request && operatorRequestBody(request, line.standingOf(request));
  };

  return async (app) => {
    app.addHook('onRequest', guards.operator);

    app.get(
      '/admin/events/:eventId/requests',
      {
        schema: {
          operationId: 'listEventRequests',
          summary: 'Requests of an event in queue order',
          description:
            'With a filter a page may be shorter than `limit` and still have a `nextCursor`. `queued=false` lists those that never reached the queue.',
          tags: ['operators'],
          params: EventIdParams,
          querystring: queryOf({
            status: Type.Optional(literals(STATUSES)),
            resultCode: Type.Optional(literals(RESULT_CODES)),
            order: Type.Optional(literals(['asc', 'desc'])),
            queued: Type.Optional(Type.Boolean()),
          }),
          response: {
            200: pageOf(Type.Ref('OperatorRequest')),
            ...problems(...operatorProblems, 'INVALID_CURSOR', 'EVENT_NOT_FOUND'),
          },
        },
      },
      async (request, reply) => {
        const { status, resultCode, order = 'desc', queued = true, ...page } = request.query;
        const eventId = request.params.eventId as EventId;
        const list = `requests-${eventId}-${order}`;
        const listed = await listEventRequests(
          eventId,
          { status, resultCode, order, isQueued: queued },
          pageRequest(list, page),
        );
        if (listed.kind === 'refused') return refuse(reply, listed);
        return pageBody(list, listed, (item) => operatorRequestBody(item, line.standingOf(item)));
      },
    );

    app.get(
      '/admin/requests/:requestId',
      {
        schema: {
          operationId: 'showRequest',
          summary: 'One request with its failure details',
          tags: ['operators'],
          params: RequestIdParams,
          querystring: NoQuery,
          response: {
            200: Type.Ref('OperatorRequest'),
            ...problems(...operatorProblems, 'REQUEST_NOT_FOUND'),
          },
        },
      },
      async (request, reply) =>
        (await bodyOf(request.params.requestId as RequestId)) ??
        sendProblem(reply, 'REQUEST_NOT_FOUND'),
    );

    app.get(
      '/admin/requests/:requestId/logs',
      {
        schema: {
          operationId: 'showRequestLog',
          summary: 'What happened to a request, oldest first',
          tags: ['operators'],
          params: RequestIdParams,
          querystring: NoQuery,
          response: {
            200: pageOf(Type.Ref('StatusChange')),
            ...problems(...operatorProblems, 'REQUEST_NOT_FOUND'),
          },
        },
      },
      async (request, reply) => {
        const requestId = request.params.requestId as RequestId;
        const found = await requests.get(requestId);
        if (found === undefined) return sendProblem(reply, 'REQUEST_NOT_FOUND');
        const items = timelineOf(found, await requests.logOf(requestId));
        return { items, nextCursor: null };
      },
    );

    app.post(
      '/admin/requests/:requestId/requeue',
      {
        schema: {
          operationId: 'requeueRequest',
          summary: 'Queue a failed request again, at its old place',
          tags: ['operators'],
          params: RequestIdParams,
          querystring: NoQuery,
          response: {
            202: Type.Ref('OperatorRequest'),
            ...problems(...operatorProblems, 'REQUEST_NOT_FOUND', 'NOT_REQUEUEABLE'),
          },
        },
      },
      async (request, reply) => {
        const requestId = request.params.requestId as RequestId;
        const requeued = await requeue(requestId, identityOf(request).userId);
        if (requeued.kind === 'refused') return refuse(reply, requeued);
        return reply.code(202).send(await bodyOf(requestId));
      },
    );
  };
}
