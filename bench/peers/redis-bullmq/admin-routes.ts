import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { ReadIdentity } from './identity.ts';

interface EventBody {
  readonly eventId: string;
  readonly title: string;
  readonly capacityTotal: number;
}

export function addAdminRoutes(
  app: FastifyInstance,
  redis: Redis,
  readIdentity: ReadIdentity,
): void {
  app.post<{ Body: EventBody }>('/admin/events', async (request, reply) => {
    if (!readIdentity(request)?.isAdmin) return reply.code(403).send();
    const { eventId, title, capacityTotal } = request.body;
    await redis.hset(`event:${eventId}`, { title, capacityTotal, remaining: capacityTotal });
    reply.code(201);
    return { eventId, title, capacityTotal };
  });

  app.get<{ Params: { eventId: string } }>(
    '/admin/events/:eventId/summary',
    async (request, reply) => {
      if (!readIdentity(request)?.isAdmin) return reply.code(403).send();
      const counts = await redis.hgetall(`summary:${request.params.eventId}`);
      const byStatus = Object.entries(counts).map(([status, count]) => [status, Number(count)]);
      return { byStatus: Object.fromEntries(byStatus) };
    },
  );
}
