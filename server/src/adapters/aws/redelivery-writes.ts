import type { EventId } from '../../domain/ids.ts';
import { keys } from '../../domain/keys.ts';
import { type Progress, queued, type Request } from '../../domain/request.ts';
import type { Write } from './dynamo-table.ts';
import { progressAttributes } from './request-item.ts';
import { deleteItem, updateItem } from './write-items.ts';

const ifFailed = { text: '#status = :failed', values: { failed: 'FAILED_FINAL' } };

/** The conditional writes of an operator's second chance. */
export const redeliveryWrites = {
  backToQueued: ({ requestId }: Request, after: Progress): Write =>
    updateItem(keys.request(requestId), { set: progressAttributes(after), when: ifFailed }),

  /** It never was in the queue; whether it is in time goes by when it was asked for. */
  backToReceived: ({ requestId, requestedAt }: Request): Write =>
    updateItem(keys.request(requestId), {
      set: { ...progressAttributes({ ...queued, status: 'RECEIVED' }), judgedAt: requestedAt },
      when: ifFailed,
    }),

  forgetEnqueueFailure: (eventId: EventId, { finishedAt, requestId }: Request): Write =>
    deleteItem(keys.enqueueFailure(eventId, finishedAt ?? 0, requestId)),
};
