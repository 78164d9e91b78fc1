import type { BatchResultErrorEntry } from '@aws-sdk/client-sqs';
import { Fault } from '../../domain/errors.ts';
import type { Chance } from '../../ports/chance.ts';
import type { Timers } from '../../ports/timers.ts';
import { translated } from './aws-faults.ts';
import { chunksOf } from './chunks-of.ts';

/** Makes the calls that the entries need. Answers which of them failed for good, and why. */
export type CallInBatches = <Entry>(
  entries: readonly Entry[],
  call: BatchCall<Entry>,
) => Promise<ReadonlyMap<Entry, unknown>>;

/** One call for a batch; the `Id` of an entry is its index. */
export type BatchCall<Entry> = (batch: readonly Entry[]) => Promise<BatchAnswer>;

export interface BatchAnswer {
  readonly Successful: readonly { readonly Id: string | undefined }[] | undefined;
  readonly Failed: readonly BatchResultErrorEntry[] | undefined;
}

/** Ten: SQS takes and gives no more in a call. */
export const batchMax = 10;

/**
 * Entries that failed by no fault of ours are tried again. A call that failed as a whole is not:
 * the SDK has done so already, while it takes a call that failed in part for a success.
 */
export function createCallInBatches(timers: Timers, chance: Chance): CallInBatches {
  return async <Entry>(entries: readonly Entry[], call: BatchCall<Entry>) => {
    const failures = new Map<Entry, unknown>();

    const callFor = async (batch: readonly Entry[]): Promise<void> => {
      for (let attempt = 1, left = batch; left.length > 0; attempt += 1) {
        if (attempt > 1) await timers.sleep(chance.fraction() * pauseMsMax);
        left = await callOnce(left, attempt === attemptsMax);
      }
    };

    /** Answers those that are worth another try. */
    const callOnce = async (batch: readonly Entry[], isLast: boolean): Promise<Entry[]> => {
      try {
        const refused = refusedIn(batch, await translated('SQS', call(batch)));
        const isFinal = ({ refusal }: Refused<Entry>) => isLast || refusal.SenderFault === true;
        for (const { entry, refusal } of refused.filter(isFinal)) {
          failures.set(entry, faultOf(refusal));
        }
        return refused.filter((one) => !isFinal(one)).map(({ entry }) => entry);
      } catch (fault) {
        for (const entry of batch) failures.set(entry, fault);
        return [];
      }
    };

    const batches = chunksOf(entries, batchMax).values();
    const callInTurn = async (): Promise<void> => {
      for (const batch of batches) await callFor(batch);
    };
    await Promise.all(Array.from({ length: callsMax }, callInTurn));
    return failures;
  };
}

const attemptsMax = 3;
const pauseMsMax = 100;
/** At a time, of those that one call of ours needs. */
const callsMax = 8;

interface Refused<Entry> {
  readonly entry: Entry;
  readonly refusal: Pick<BatchResultErrorEntry, 'Code' | 'SenderFault'>;
}

/** Whatever the answer does not call successful, also what it does not mention. */
function refusedIn<Entry>(batch: readonly Entry[], answer: BatchAnswer): Refused<Entry>[] {
  const successful = new Set(answer.Successful?.map(({ Id }) => Id));
  const failed = new Map(answer.Failed?.map((refusal) => [refusal.Id, refusal]));
  return batch.flatMap((entry, index) => {
    const id = String(index);
    if (successful.has(id)) return [];
    return [{ entry, refusal: failed.get(id) ?? unmentioned }];
  });
}

const unmentioned = { Code: 'not mentioned', SenderFault: false };

function faultOf(refusal: Refused<unknown>['refusal']): Fault {
  const retryable = refusal.SenderFault !== true;
  const code = retryable ? 'UNAVAILABLE' : 'INTERNAL';
  const what = `SQS refused one of a batch (${refusal.Code}).`;
  return new Fault(code, what, { retryable, cause: refusal });
}
