import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { EventSchema, EventSummarySchema, OperatorEventSchema } from './schemas/event.ts';
import { AuditEntrySchema, DeadLetterSchema, RedriveReportSchema } from './schemas/operations.ts';
import { ProblemSchema } from './schemas/problem.ts';
import {
  AcceptedSchema,
  OperatorRequestSchema,
  RequestSchema,
  StatusChangeSchema,
} from './schemas/request.ts';

export function addSchemas(app: FastifyInstance): void {
  for (const schema of namedSchemas) app.addSchema(schema);
}

/** `/openapi.json` and `/docs`, made from the schemas of the routes that follow. */
export async function registerDocumentation(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fairline',
        version: '1',
        description:
          'High-traffic promotional events, run fairly. Times are epoch milliseconds; lists are `{items, nextCursor}`; errors are `application/problem+json` with a stable `code`.',
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          session: { type: 'apiKey', in: 'cookie', name: 'fairline_session' },
        },
      },
      security: [{ bearer: [] }, { session: [] }],
      tags: [
        { name: 'participants' },
        { name: 'session' },
        { name: 'operators', description: 'Role admin only.' },
        { name: 'health' },
        { name: 'development', description: 'Absent in production.' },
      ],
    },
    refResolver: { buildLocalReference: (json) => String(json['$id']) },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: {
      title: 'Fairline API',
      css: [{ filename: 'theme.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

const namedSchemas = [
  AcceptedSchema,
  AuditEntrySchema,
  DeadLetterSchema,
  EventSchema,
  EventSummarySchema,
  OperatorEventSchema,
  OperatorRequestSchema,
  ProblemSchema,
  RedriveReportSchema,
  RequestSchema,
  StatusChangeSchema,
];
