import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedProcess } from './started-process.ts';

export interface Summary {
  readonly queued: number;
  /** Accepted and not yet in a final state. */
  readonly pending: number;
  readonly succeeded: number;
  readonly rejected: number;
  readonly failed: number;
}

const operator = { 'x-debug-user-id': 'operator', 'x-debug-role': 'admin' };

/** A running server with the participation API: Fairline or its peer. */
export class ParticipationServer {
  readonly url: string;
  readonly process: StartedProcess;

  constructor(url: string, process: StartedProcess) {
    this.url = url;
    this.process = process;
  }

  waitUntilReady(): Promise<void> {
    return this.process.waitUntilReady(async () => (await fetch(`${this.url}/readyz`)).ok);
  }

  async createEvent(eventId: string, capacityTotal: number): Promise<void> {
    await this.call('/admin/events', {
      method: 'POST',
      headers: { ...operator, 'content-type': 'application/json' },
      body: JSON.stringify({ eventId, title: eventId, eventType: 'FIRST_COME', capacityTotal }),
    });
  }

  async participate(eventId: string, userId: string): Promise<string> {
    const answer = await this.call(`/events/${eventId}/participations`, {
      method: 'POST',
      headers: { 'x-debug-user-id': userId },
    });
    return (answer as { requestId: string }).requestId;
  }

  async summary(eventId: string): Promise<Summary> {
    const answer = await this.call(`/admin/events/${eventId}/summary`, { headers: operator });
    const counts = (answer as { byStatus: Record<string, number> }).byStatus;
    const count = (status: string) => counts[status] ?? 0;
    return {
      queued: count('QUEUED'),
      pending: count('QUEUED') + count('PROCESSING'),
      succeeded: count('SUCCEEDED'),
      rejected: count('REJECTED'),
      failed: count('FAILED_FINAL'),
    };
  }

  async waitUntilSettled(eventId: string, limitSeconds = 120): Promise<Summary> {
    const deadline = Date.now() + limitSeconds * 1000;
    for (;;) {
      const summary = await this.summary(eventId);
      if (summary.pending === 0) return summary;
      if (Date.now() > deadline) {
        throw new Error(`${summary.pending} requests were not settled in ${limitSeconds} s`);
      }
      await sleep(50);
    }
  }

  private async call(path: string, init: RequestInit): Promise<unknown> {
    const response = await fetch(this.url + path, init).catch((error: Error) => {
      throw this.process.failure(`does not answer ${path}: ${error.cause ?? error}`);
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }
}
