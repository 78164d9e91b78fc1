import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { EventId, RequestId } from '../../domain/ids.ts';
import type { ReadRequestById } from '../../participation/read-request.ts';
import type { SubmitParticipation } from '../../participation/submit-participation.ts';
import { answerRequest } from '../answer-request.ts';
import { type Guards, identityOf } from '../guards.ts';
import { refuse } from '../problem.ts';
import { EventIdParams, NoQuery, RequestIdParams } from '../schemas/common.ts';
import { participantProblems, problems } from '../schemas/problem.ts';

export interface ParticipationRoutes {
  readonly guards: Guards;
  readonly submit: SubmitParticipation;
  readonly readRequest: ReadRequestById;
}

/** The two calls that everybody makes: press, and look how it stands. */
export function participationRoutes(deps: ParticipationRoutes): FastifyPluginAsyncTypebox {
  const { guards, submit, readRequest } = deps;
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
        const read = await readRequest(request.params.requestId as RequestId, identityOf(request));
        if (read.kind === 'refused') return refuse(reply, read);
        return answerRequest(reply, read);
      },
    );
  };
}

function allowNoBody(request: FastifyRequest, _reply: unknown, done: () => void): void {
  request.body ??= {};
  done();
}
