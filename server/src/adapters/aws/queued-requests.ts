import type { Event } from '../../domain/event.ts';
import type { RequestId } from '../../domain/ids.ts';
import { keys } from '../../domain/keys.ts';
import type { Request } from '../../domain/request.ts';
import type { AdmissionSteps } from '../../ports/admission-steps.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RequestReference } from '../../ports/queue.ts';
import type { Timers } from '../../ports/timers.ts';
import type { DynamoTable } from './dynamo-table.ts';
import { requestOf } from './request-item.ts';
import { SqsReceipt } from './sqs-receipt.ts';

/** A request that has its place in the queue, and the time by which it is in time or late. */
export interface QueuedRequest extends Request {
  readonly queuedAt: number;
  readonly judgedAt: number;
}

type Delivered = RequestReference & { readonly receipt?: object };

/**
 * Reads what messages are about. A message can be faster than the step that writes QUEUED: that
 * step is given a second, then taken here, with the time at which the queue got the message.
 */
export function createReadQueued(
  table: DynamoTable,
  steps: AdmissionSteps,
  clock: Clock,
  timers: Timers,
) {
  const read = async (ids: readonly RequestId[]): Promise<Map<RequestId, Found>> => {
    const items = await table.getMany(ids.map((requestId) => keys.request(requestId)));
    return new Map(
      items.map((item) => {
        const request = requestOf(item);
        return [request.requestId, { request, judgedAt: item['judgedAt'] as number | undefined }];
      }),
    );
  };

  const completeQueued = async (event: Event, message: Delivered, { request }: Found) => {
    const { receipt } = message;
    const isOwnTime = receipt instanceof SqsReceipt && !receipt.redriven;
    await steps.markQueued(event, request, isOwnTime ? () => receipt.sentAt : clock.now);
  };

  return async (
    event: Event,
    messages: readonly Delivered[],
  ): Promise<Map<RequestId, QueuedRequest>> => {
    const ids = [...new Set(messages.map(({ requestId }) => requestId))];
    let found = await read(ids);
    for (let look = 1; look <= looksMax && hasReceived(found); look += 1) {
      await timers.sleep(lookAgainMs);
      found = await read(ids);
    }
    if (hasReceived(found)) {
      await Promise.all(
        messages.map(async (message) => {
          const known = found.get(message.requestId);
          if (known?.request.status === 'RECEIVED') await completeQueued(event, message, known);
        }),
      );
      found = await read(ids);
    }
    return new Map([...found].flatMap(([id, known]) => queuedEntry(id, known)));
  };
}

export type ReadQueued = ReturnType<typeof createReadQueued>;

interface Found {
  readonly request: Request;
  readonly judgedAt: number | undefined;
}

function hasReceived(found: ReadonlyMap<RequestId, Found>): boolean {
  return [...found.values()].some(({ request }) => request.status === 'RECEIVED');
}

/** One that never reached the queue has an end and no place; it is none of the queue's. */
function queuedEntry(id: RequestId, { request, judgedAt }: Found): [RequestId, QueuedRequest][] {
  const queuedAt = request.queuedAt ?? request.requestedAt;
  return [[id, { ...request, queuedAt, judgedAt: judgedAt ?? queuedAt }]];
}

const looksMax = 10;
const lookAgainMs = 100;
