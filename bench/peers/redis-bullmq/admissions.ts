import { Queue } from 'bullmq';
import type { Redis, Result } from 'ioredis';
import { admitScript } from './scripts.ts';
import { queueName, type SettleJob } from './settle-job.ts';
import { TickBatch } from './tick-batch.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admit(...args: string[]): Result<string[], Context>;
  }
}

export interface Entrant {
  readonly eventId: string;
  readonly userId: string;
  readonly requestId: string;
}

/** Locks and records of the entrants that arrive in one turn in one round trip, their jobs in a second. */
export class Admissions {
  private readonly redis: Redis;
  private readonly queue: Queue<SettleJob>;
  private readonly batch = new TickBatch((entrants: readonly Entrant[]) => this.admitAll(entrants));

  constructor(redis: Redis) {
    redis.defineCommand('admit', { lua: admitScript, numberOfKeys: 0 });
    this.redis = redis;
    this.queue = new Queue(queueName, {
      connection: redis,
      defaultJobOptions: { removeOnComplete: true },
    });
  }

  /** Answers the request that holds the user's place, or nothing when there is no such event. */
  async admit(entrant: Entrant): Promise<string | undefined> {
    return (await this.batch.add(entrant)) || undefined;
  }

  /**
   * Only who got the lock is enqueued: a job for every press would let one user flood the queue.
   * The record is there before its job, so that no job is ever seen without one.
   */
  private async admitAll(entrants: readonly Entrant[]): Promise<string[]> {
    const places = entrants.flatMap(({ eventId, userId, requestId }) => [
      eventId,
      userId,
      requestId,
    ]);
    const holders = await this.redis.admit(String(Date.now()), ...places);
    const jobs = entrants
      .filter(({ requestId }, index) => holders[index] === requestId)
      .map(({ eventId, requestId }) => ({ name: 'settle', data: { eventId, requestId } }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
    return holders;
  }
}
