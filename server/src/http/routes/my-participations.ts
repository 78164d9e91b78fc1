import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { EventId } from '../../domain/ids.ts';
import type { RequestReader } from '../../participation/read-request.ts';
import type { Line } from '../../ports/line.ts';
import type { Requests } from '../../ports/requests.ts';
import { answerRequest } from '../answer-request.ts';
import { pageBody, pageRequest } from '../cursor.ts';
import { type Guards, identityOf } from '../guards.ts';
import { refuse } from '../problem.ts';
import { requestBody } from '../request-body.ts';
import { EventIdParams, NoQuery, PageQuery, pageOf } from '../schemas/common.ts';
import { participantProblems, problems } from '../schemas/problem.ts';

export interface MyParticipationRoutes {
  readonly guards: Guards;
  readonly reader: RequestReader;
  readonly requests: Requests;
  readonly line: Line;
}

export function myParticipationRoutes(deps: MyParticipationRoutes): FastifyPluginAsyncTypebox {
  const { guards, reader, requests, line } = deps;
  return async (app) => {
    app.get(
      '/events/:eventId/participations/me',
      {
        onRequest: guards.participant,
        schema: {
          operationId: 'myParticipation',
          summary: 'My request in an event',
          tags: ['participants'],
          params: EventIdParams,
          querystring: NoQuery,
          response: {
            200: Type.Ref('Request'),
            ...problems(...participantProblems, 'EVENT_NOT_FOUND', 'REQUEST_NOT_FOUND'),
          },
        },
      },
      async (request, reply) => {
        const read = await reader.mine(request.params.eventId as EventId, identityOf(request));
        if (read.kind === 'refused') return refuse(reply, read);
        return answerRequest(reply, read);
      },
    );

    app.get(
      '/me/participations',
      {
        onRequest: guards.participant,
        schema: {
          operationId: 'myParticipations',
          summary: 'My requests, the last queued first',
          tags: ['participants'],
          querystring: PageQuery,
          response: {
            200: pageOf(Type.Ref('Request')),
            ...problems(...participantProblems, 'INVALID_CURSOR'),
          },
        },
      },
      async (request) => {
        const { userId } = identityOf(request);
        const page = await requests.listByUser(userId, pageRequest('mine', request.query));
        return pageBody('mine', page, (item) => requestBody(item, line.standingOf(item)));
      },
    );
  };
}
