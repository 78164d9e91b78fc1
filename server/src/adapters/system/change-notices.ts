import type { RequestId } from '../../domain/ids.ts';
import type { RequestChanges } from '../../ports/request-changes.ts';

/** Tells the streams of this process; costs a look-up a change when nobody listens. */
export interface ChangeNotices extends RequestChanges {
  notify(requestId: RequestId): void;
}

export function createChangeNotices(): ChangeNotices {
  const listeners = new Map<RequestId, Set<() => void>>();
  return {
    subscribe(requestId, changed) {
      const ofRequest = listeners.get(requestId) ?? new Set();
      listeners.set(requestId, ofRequest.add(changed));
      return {
        unsubscribe() {
          ofRequest.delete(changed);
          if (ofRequest.size === 0) listeners.delete(requestId);
        },
      };
    },
    notify(requestId) {
      if (listeners.size === 0) return;
      for (const changed of listeners.get(requestId) ?? []) changed();
    },
  };
}
