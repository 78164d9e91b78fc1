import { Worker } from 'bullmq';
import type { Redis, Result } from 'ioredis';
import { settleScript } from './scripts.ts';
import { queueName, type SettleJob } from './settle-job.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    settle(...args: string[]): Result<null, Context>;
  }
}

const concurrency = 100;

/** The worker has a connection of its own, so that its jobs do not wait behind the admissions. */
export function startSettleWorker(redis: Redis): Worker<SettleJob> {
  const connection = redis.duplicate();
  connection.defineCommand('settle', { lua: settleScript, numberOfKeys: 0 });
  return new Worker<SettleJob>(
    queueName,
    ({ data }) => connection.settle(String(Date.now()), data.eventId, data.requestId),
    { connection, concurrency },
  );
}
