/**
 * Every code that a caller can meet, with its HTTP status and what it says.
 * `docs/failure-modes.md` adds who sees it and what to do.
 */
export const errorCatalogue = {
  INVALID_REQUEST: { status: 400, title: 'The request is not valid.' },
  INVALID_CURSOR: { status: 400, title: 'The cursor is not one of ours.' },
  USER_ID_NOT_ACCEPTED: { status: 400, title: 'The user is taken from the token only.' },
  UNAUTHENTICATED: { status: 401, title: 'A valid token is needed.' },
  FORBIDDEN: { status: 403, title: 'This is for operators.' },
  ORIGIN_REFUSED: { status: 403, title: 'The request came from another site.' },
  NOT_FOUND: { status: 404, title: 'There is nothing here.' },
  EVENT_NOT_FOUND: { status: 404, title: 'There is no such event.' },
  REQUEST_NOT_FOUND: { status: 404, title: 'There is no such request.' },
  DEAD_LETTER_NOT_FOUND: { status: 404, title: 'There is no such dead letter.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This address does not take that method.' },
  EVENT_NOT_OPEN: { status: 409, title: 'The event has not opened yet.' },
  EVENT_PAUSED: { status: 409, title: 'The event is paused.' },
  EVENT_CLOSED: { status: 409, title: 'The event is over.' },
  EVENT_EXISTS: { status: 409, title: 'An event of this id exists.' },
  EVENT_ALREADY_OPEN: { status: 409, title: 'The event has already opened.' },
  EVENT_END_PAST: { status: 409, title: 'The end cannot lie in the past.' },
  EVENT_END_TOO_LATE: { status: 409, title: 'The end cannot move that far.' },
  EVENT_SOLD_OUT: { status: 409, title: 'The event is sold out, and that is final.' },
  CAPACITY_NOT_RAISED: { status: 409, title: 'Capacity can only be raised.' },
  NOT_REQUEUEABLE: { status: 409, title: 'Only a failed request can be queued again.' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Bodies are JSON here.' },
  TOO_MANY_REQUESTS: { status: 429, title: 'Too many calls; slow down.' },
  INTERNAL: { status: 500, title: 'Something went wrong on our side.' },
  OVERLOADED: { status: 503, title: 'Too busy right now; try again.' },
  UNAVAILABLE: { status: 503, title: 'Not available right now; try again.' },
  STREAMS_EXHAUSTED: { status: 503, title: 'Too many open streams; poll instead.' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** An outcome that is not what the caller hoped for, as a value. */
export interface Refused {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly detail?: string;
}

export function refused(code: ErrorCode, detail?: string): Refused {
  return detail === undefined ? { kind: 'refused', code } : { kind: 'refused', code, detail };
}

/** A fault: something that should have worked did not. Clients see the code's title only. */
export class Fault extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.retryable = options.retryable;
  }
}
