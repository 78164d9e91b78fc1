import { parseEventId, parseRequestId } from '../../domain/ids.ts';
import type { RequestReference } from '../../ports/queue.ts';

export interface SqsMessage extends RequestReference {
  /** Sent again by an operator: its SentTimestamp is not when the request was queued. */
  readonly redriven: boolean;
}

export type DecodedSqsMessage =
  | ({ readonly kind: 'participation' } & SqsMessage)
  | { readonly kind: 'undecodable'; readonly request: RequestReference | null };

export function encodeSqsMessage({ eventId, requestId, redriven }: SqsMessage): string {
  const body = { v: version, e: eventId, r: requestId };
  return JSON.stringify(redriven ? { ...body, redriven } : body);
}

/** Takes what `encodeSqsMessage` makes and nothing else. */
export function decodeSqsMessage(body: string): DecodedSqsMessage {
  const { v, e, r, redriven, ...others } = fieldsOf(body);
  const eventId = parseEventId(e);
  const requestId = parseRequestId(r);
  if (eventId === undefined || requestId === undefined) {
    return { kind: 'undecodable', request: null };
  }
  const isMarkOurs = redriven === undefined || redriven === true;
  return v === version && isMarkOurs && Object.keys(others).length === 0
    ? { kind: 'participation', eventId, requestId, redriven: redriven === true }
    : { kind: 'undecodable', request: { eventId, requestId } };
}

/** To be raised when an older worker would misread the new body. */
const version = 1;

interface Fields {
  readonly v?: unknown;
  readonly e?: unknown;
  readonly r?: unknown;
  readonly redriven?: unknown;
}

function fieldsOf(body: string): Fields {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
