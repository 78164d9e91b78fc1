import type { RequestId } from '../../domain/ids.ts';
import { keys } from '../../domain/keys.ts';
import type { Progress } from '../../domain/request.ts';
import type { StatusChange } from '../../domain/timeline.ts';
import type { DynamoTable, Write } from './dynamo-table.ts';
import { settlementWrites } from './settlement-writes.ts';

export interface StatusLogs {
  /** How many writes `ofMove` makes at most. */
  readonly perMoveMax: number;
  /** What a move logs of itself: nothing, where the request's own times tell it. */
  ofMove(requestId: RequestId, before: Progress, after: Progress): Promise<Write[]>;
  /** Writes that log what no time of the request tells. */
  of(requestId: RequestId, changes: readonly StatusChange[]): Promise<Write[]>;
}

export function createStatusLogs(table: DynamoTable, level: 'exceptions' | 'all'): StatusLogs {
  /** Changes of one millisecond are told apart by the number that is free. */
  const of: StatusLogs['of'] = async (requestId, changes) => {
    const { PK } = keys.request(requestId);
    const logged = await table.queryAll({
      KeyConditionExpression: 'PK = :request AND begins_with(SK, :log)',
      ExpressionAttributeValues: { ':request': PK, ':log': 'LOG#' },
      ConsistentRead: true,
    });
    const taken = new Set(logged.map(({ SK }) => SK));
    return changes.map((change) => {
      let ordinal = 0;
      while (taken.has(keys.statusLog(requestId, change.occurredAt, ordinal).SK)) ordinal += 1;
      taken.add(keys.statusLog(requestId, change.occurredAt, ordinal).SK);
      return settlementWrites.log(requestId, ordinal, change);
    });
  };

  return {
    perMoveMax: level === 'exceptions' ? 0 : 2,
    of,
    ofMove: async (requestId, before, after) =>
      level === 'exceptions' ? [] : of(requestId, changesOf(before, after)),
  };
}

function changesOf(before: Progress, after: Progress): StatusChange[] {
  const message = null;
  const { startedAt, finishedAt, status } = after;
  const started = { fromStatus: 'QUEUED', toStatus: 'PROCESSING', message } as const;
  const finished = { fromStatus: 'PROCESSING', toStatus: status, message } as const;
  return [
    ...(before.status !== 'QUEUED' || startedAt === null
      ? []
      : [{ ...started, occurredAt: startedAt }]),
    ...(finishedAt === null ? [] : [{ ...finished, occurredAt: finishedAt }]),
  ];
}
