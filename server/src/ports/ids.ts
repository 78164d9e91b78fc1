import type { RequestId } from '../domain/ids.ts';

export interface Ids {
  /** A new unguessable id; a later one sorts after an earlier one of the same process. */
  next(): string;
}

export interface RequestIds {
  /**
   * A new id and the time it carries. Neither ever goes back: a clock that did is overruled, and
   * `floor` (the last stamp of an earlier process) is passed at start for that.
   */
  next(): { readonly requestId: RequestId; readonly bytes: Buffer; readonly stampedAt: number };
}
