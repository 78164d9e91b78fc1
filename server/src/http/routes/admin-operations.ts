import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { EventId, MessageId } from '../../domain/ids.ts';
import type { DeadLetterFilter, DeadLetterOperations } from '../../operations/dead-letters.ts';
import type { AuditTrail } from '../../ports/audit-trail.ts';
import { pageBody, pageRequest } from '../cursor.ts';
import { type Guards, identityOf } from '../guards.ts';
import { refuse, sendProblem } from '../problem.ts';
import { MessageIdParams, NoQuery, PageQuery, pageOf, queryOf } from '../schemas/common.ts';
import { deadLetterFilter, RedriveSchema } from '../schemas/operations.ts';
import { operatorProblems, problems } from '../schemas/problem.ts';

export function adminOperationRoutes(
  guards: Guards,
  deadLetters: DeadLetterOperations,
  audit: AuditTrail,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', guards.operator);

    app.get(
      '/admin/dlq',
      {
        schema: {
          operationId: 'listDeadLetters',
          summary: 'Dead letters, the latest first',
          tags: ['operators'],
          querystring: queryOf(deadLetterFilter),
          response: {
            200: pageOf(Type.Ref('DeadLetter')),
            ...problems(...operatorProblems, 'INVALID_CURSOR'),
          },
        },
      },
      async (request) => {
        const { limit, cursor, ...filter } = request.query;
        const page = pageRequest('dlq', { limit, cursor });
        return pageBody('dlq', await deadLetters.list(filterOf(filter), page), (item) => item);
      },
    );

    app.post(
      '/admin/dlq/redrive',
      {
        schema: {
          operationId: 'redriveDeadLetters',
          summary: 'Queue dead letters again: some by id, or those that a filter matches',
          description:
            'With a filter up to `limit` (100 at most) are handled a call; call again with `nextCursor` until it is null. `dryRun` only tells.',
          tags: ['operators'],
          querystring: NoQuery,
          body: RedriveSchema,
          response: {
            200: pageOf(Type.Ref('RedriveReport')),
            ...problems(...operatorProblems, 'INVALID_CURSOR'),
          },
        },
      },
      async (request, reply) => {
        const { messageIds, filter, dryRun = false, limit, cursor } = request.body;
        if ((messageIds === undefined) === (filter === undefined)) {
          return sendProblem(reply, 'INVALID_REQUEST', 'Give either messageIds or a filter.');
        }
        const page = pageRequest('redrive', { limit: limit ?? 100, cursor });
        const choice =
          messageIds === undefined
            ? { filter: filterOf(filter ?? {}), page }
            : { messageIds: messageIds as MessageId[] };
        const report = await deadLetters.redrive(choice, dryRun, identityOf(request).userId);
        return pageBody('redrive', report, (item) => item);
      },
    );

    app.delete(
      '/admin/dlq/:messageId',
      {
        schema: {
          operationId: 'deleteDeadLetter',
          summary: 'Delete a dead letter; its request stays failed',
          tags: ['operators'],
          params: MessageIdParams,
          querystring: NoQuery,
          response: {
            204: { type: 'null', description: 'It is gone.' },
            ...problems(...operatorProblems, 'DEAD_LETTER_NOT_FOUND'),
          },
        },
      },
      async (request, reply) => {
        const messageId = request.params.messageId as MessageId;
        const discarded = await deadLetters.discard(messageId, identityOf(request).userId);
        if (discarded.kind === 'refused') return refuse(reply, discarded);
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/admin/audit',
      {
        schema: {
          operationId: 'listAudit',
          summary: 'What operators did, the latest first',
          tags: ['operators'],
          querystring: PageQuery,
          response: {
            200: pageOf(Type.Ref('AuditEntry')),
            ...problems(...operatorProblems, 'INVALID_CURSOR'),
          },
        },
      },
      async (request) =>
        pageBody('audit', await audit.list(pageRequest('audit', request.query)), (item) => item),
    );
  };
}

function filterOf(filter: {
  eventId?: string;
  errorCode?: string;
  userId?: string;
}): DeadLetterFilter {
  return { ...filter, eventId: filter.eventId as EventId | undefined };
}
