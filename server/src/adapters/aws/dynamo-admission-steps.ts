import { type Failure, queued } from '../../domain/request.ts';
import type { AdmissionSteps, Entrant } from '../../ports/admission-steps.ts';
import { admissionWrites } from './admission-writes.ts';
import type { DynamoTable } from './dynamo-table.ts';
import type { EventTallies, Move } from './event-tallies.ts';

export function createDynamoAdmissionSteps(
  table: DynamoTable,
  tallies: EventTallies,
): AdmissionSteps {
  return {
    async receive(event, entrant) {
      await table.write(admissionWrites.storeReceived(event, entrant));
    },

    async markQueued(event, entrant, queuedAt) {
      await table.stamp(() => admissionWrites.markQueued(event, entrant, queuedAt()));
    },

    async failEnqueue(event, entrant, failure, finishedAt) {
      await table.transact([
        admissionWrites.failEnqueue(entrant, failure, finishedAt),
        admissionWrites.recordEnqueueFailure(event, entrant, finishedAt),
        ...tallies.count(event.eventId, [failedMove(entrant, failure, finishedAt)]),
      ]);
    },
  };
}

function failedMove({ requestId }: Entrant, failure: Failure, finishedAt: number): Move {
  const before = { ...queued, status: 'RECEIVED' } as const;
  const resultCode = 'FAILED_INGEST_ENQUEUE';
  const after = { ...before, status: 'FAILED_FINAL', resultCode, finishedAt, failure } as const;
  return { requestId, queuedAt: null, before, after };
}
