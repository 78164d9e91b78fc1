import { existsSync, readFileSync } from 'node:fs';
import { type ErrorCode, errorCatalogue } from '../src/domain/errors.ts';

/** The catalogue's table with the advice below; the prose after the marker is written by hand. */
export function failureModesPage(path: string): string {
  const rows = Object.entries(errorCatalogue).map(([code, { status, title }]) => {
    const { who, what } = advice[code as ErrorCode];
    return `| \`${code}\` | ${status} | ${title} | ${who} | ${what} |`;
  });
  const written = existsSync(path) ? readFileSync(path, 'utf8').split(marker)[1] : undefined;
  return [
    '# Failure modes',
    '',
    'Every code that an answer can carry. _The table is generated from `server/src/domain/errors.ts`._',
    '',
    '| code | status | it says | who sees it | what to do |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    `${marker}${written ?? '\n'}`,
  ].join('\n');
}

const marker = '<!-- written by hand below -->';

interface Advice {
  readonly who: string;
  readonly what: string;
}

const client = (what: string): Advice => ({ who: 'the calling program', what });
const participant = (what: string): Advice => ({ who: 'participant', what });
const operator = (what: string): Advice => ({ who: 'operator', what });

const advice: Record<ErrorCode, Advice> = {
  INVALID_REQUEST: client('Mend what `detail` names.'),
  INVALID_CURSOR: client('Start the list again without a cursor.'),
  USER_ID_NOT_ACCEPTED: client('Leave the user out; the token says who it is.'),
  UNAUTHENTICATED: participant('Sign in again; the token is missing, expired or not ours.'),
  FORBIDDEN: participant('Nothing; the call needs the role `admin`.'),
  ORIGIN_REFUSED: client(
    'Call from the product’s own pages, or list the origin in `FAIRLINE_CORS_ORIGINS`.',
  ),
  NOT_FOUND: client('Look the address up in `/docs`.'),
  EVENT_NOT_FOUND: participant('Check the link.'),
  REQUEST_NOT_FOUND: participant('Sign in as the one who took part; others do not see it.'),
  DEAD_LETTER_NOT_FOUND: operator('Refresh the list: it was redriven, deleted or has expired.'),
  METHOD_NOT_ALLOWED: client('Use a method that the `Allow` header lists.'),
  EVENT_NOT_OPEN: participant('Come back at `opensAt`; the click has cost nothing.'),
  EVENT_PAUSED: participant('Try again later; the operator has paused the event.'),
  EVENT_CLOSED: participant('Nothing; the event is over.'),
  EVENT_EXISTS: operator('Choose another `eventId`, or change the existing event.'),
  EVENT_ALREADY_OPEN: operator('Leave `opensAt` alone; pause the event if it must wait.'),
  EVENT_END_PAST: operator('Choose an end in the future, or set the status to CLOSED.'),
  EVENT_END_TOO_LATE: operator('Stay within 7 days of the earliest end, or open a new event.'),
  EVENT_SOLD_OUT: operator('Open a new event; later people must not pass those already rejected.'),
  CAPACITY_NOT_RAISED: operator('Give a capacity above the present one.'),
  NOT_REQUEUEABLE: operator(
    'Nothing; only `FAILED_WORKER` and `FAILED_INGEST_ENQUEUE` can be tried again.',
  ),
  PAYLOAD_TOO_LARGE: client('Send at most 16 KB.'),
  UNSUPPORTED_MEDIA_TYPE: client('Send `application/json`, or no body.'),
  TOO_MANY_REQUESTS: participant('Wait for `Retry-After`.'),
  INTERNAL: operator('Find the log line by `X-Request-Id`; it is a bug.'),
  OVERLOADED: participant('Wait for `Retry-After` and press again; the same request goes on.'),
  UNAVAILABLE: operator('See [store unavailable](runbooks/store-unavailable.md).'),
  STREAMS_EXHAUSTED: client('Poll with `Retry-After` instead.'),
};
