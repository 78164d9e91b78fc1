import type { RequestId } from '../domain/ids.ts';
import type { ResultCode } from '../domain/request.ts';

export type Redelivered =
  | { readonly kind: 'queued' }
  | { readonly kind: 'missing' }
  /** Not FAILED_FINAL, or failed in a way that trying again cannot mend. */
  | { readonly kind: 'not-failed' };

/** The failures that another try may mend. */
export const redeliverable: readonly ResultCode[] = ['FAILED_WORKER', 'FAILED_INGEST_ENQUEUE'];

export interface Redelivery {
  /**
   * Takes a failed request back to QUEUED at its old place, logs why, and sends its message.
   * Repeatable: status first, then the message. Its dead letter may go in the same step.
   */
  redeliver(requestId: RequestId, reason: string, occurredAt: number): Promise<Redelivered>;
}
