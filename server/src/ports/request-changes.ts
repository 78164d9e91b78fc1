import type { RequestId } from '../domain/ids.ts';

export interface RequestChanges {
  /** Calls back after each change of the request; the caller reads it for itself. */
  subscribe(requestId: RequestId, changed: () => void): { unsubscribe(): void };
}
