import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { EventId, RequestId } from '../../domain/ids.ts';
import { retryAfterSeconds } from '../../domain/request-view.ts';
import type { FoundRequest, RequestReader } from '../../participation/read-request.ts';
import type { SubmitParticipation } from '../../participation/submit-participation.ts';
import type { Line } from '../../ports/line.ts';
import type { Requests } from '../../ports/requests.ts';
import { pageBody, pageRequest } from '../cursor.ts';
import { type Guards, identityOf } from '../guards.ts';
import { refuse } from '../problem.ts';
import { requestBody } from '../request-body.ts';
import { EventIdParams, NoQuery, PageQuery, pageOf, RequestIdParams } from '../schemas/common.ts';
import { participantProblems, problems } from '../schemas/problem.ts';

export interface ParticipationRoutes {
  readonly guards: Guards;
  readonly submit: SubmitParticipation;
  readonly reader: RequestReader;
  readonly requests: Requests;
  readonly line: Line;
}

export function participationRoutes(deps: ParticipationRoutes): FastifyPluginAsyncTypebox {
  const { guards, submit, reader, requests, line } = deps;
  return async (app) => {
    app.post(
      '/events/:eventId/participations',
      {
        onRequest: guards.participant,
        preValidation: allowNoBody,
        schema: {
          operationId: 'participate',
          summary: 'Take part in an event',
          tags: ['participants'],
          params: EventIdParams,
          querystring: NoQuery,
          body: Type.Object({}, { additionalProperties: false }),
          response: {
            202: Type.Ref('Accepted'),
            ...problems(
              ...participantProblems,
              'EVENT_NOT_FOUND',
              'EVENT_NOT_OPEN',
              'EVENT_PAUSED',
              'EVENT_CLOSED',
              'OVERLOADED',
            ),
          },
        },
      },
      async (request, reply) => {
        const eventId = request.params.eventId as EventId;
        const submitted = await submit(eventId, identityOf(request).userId);
        if (submitted.kind === 'refused') return refuse(reply, submitted);
        const { requestId, kind } = submitted;
        return reply
          .code(202)
          .header('location', `/requests/${requestId}`)
          .send({ requestId, isDuplicate: kind === 'duplicate' });
      },
    );

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
        return answer(reply, read);
      },
    );

    app.get(
      '/requests/:requestId',
      {
        onRequest: guards.participant,
        schema: {
          operationId: 'request',
          summary: 'Where a request stands',
          description:
            '`Retry-After` tells when to look again; it is absent once the step is DONE.',
          tags: ['participants'],
          params: RequestIdParams,
          querystring: NoQuery,
          response: {
            200: Type.Ref('Request'),
            ...problems(...participantProblems, 'REQUEST_NOT_FOUND'),
          },
        },
      },
      async (request, reply) => {
        const read = await reader.byId(request.params.requestId as RequestId, identityOf(request));
        if (read.kind === 'refused') return refuse(reply, read);
        return answer(reply, read);
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

function answer(reply: Reply, { request, standing }: FoundRequest) {
  const waitSeconds = retryAfterSeconds(request, standing.etaMs);
  if (waitSeconds !== undefined) reply.header('retry-after', waitSeconds);
  return requestBody(request, standing);
}

function allowNoBody(request: FastifyRequest, _reply: unknown, done: () => void): void {
  request.body ??= {};
  done();
}

type Reply = Pick<FastifyReply, 'header'>;
