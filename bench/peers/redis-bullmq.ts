import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { Redis } from 'ioredis';
import { addAdminRoutes } from './redis-bullmq/admin-routes.ts';
import { Admissions } from './redis-bullmq/admissions.ts';
import { createIdentityReader } from './redis-bullmq/identity.ts';
import { startSettleWorker } from './redis-bullmq/settle-worker.ts';

const { PORT, REDIS_PORT, JWT_SECRET = '' } = process.env;

const redis = new Redis(Number(REDIS_PORT), { maxRetriesPerRequest: null });
const admissions = new Admissions(redis);
const readIdentity = createIdentityReader(JWT_SECRET);
const app = fastify();

const participationSchema = {
  response: {
    202: {
      type: 'object',
      properties: { requestId: { type: 'string' }, isDuplicate: { type: 'boolean' } },
    },
  },
};

app.post<{ Params: { eventId: string } }>(
  '/events/:eventId/participations',
  { schema: participationSchema },
  async (request, reply) => {
    const identity = readIdentity(request);
    if (!identity) return reply.code(401).send();
    const requestId = randomUUID();
    const { eventId } = request.params;
    const holder = await admissions.admit({ eventId, userId: identity.userId, requestId });
    if (!holder) return reply.code(404).send();
    reply.code(202).header('location', `/requests/${holder}`);
    return { requestId: holder, isDuplicate: holder !== requestId };
  },
);

app.get<{ Params: { requestId: string } }>('/requests/:requestId', async (request, reply) => {
  const identity = readIdentity(request);
  if (!identity) return reply.code(401).send();
  const { requestId } = request.params;
  const { userId, ...record } = await redis.hgetall(`request:${requestId}`);
  if (userId !== identity.userId) return reply.code(404).send();
  return { requestId, userId, ...record };
});

addAdminRoutes(app, redis, readIdentity);
app.get('/readyz', () => ({ status: 'ready' }));

startSettleWorker(redis);
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
