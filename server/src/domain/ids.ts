export type EventId = string & { readonly brand: 'EventId' };
export type UserId = string & { readonly brand: 'UserId' };
export type RequestId = string & { readonly brand: 'RequestId' };
export type MessageId = string & { readonly brand: 'MessageId' };

/** `#` separates the parts of a key, so no id may hold it. */
export const EVENT_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$';
export const REQUEST_ID_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
const USER_ID_PATTERN = '^[!"$-.0-~]{1,128}$';

export const parseEventId = parser<EventId>(EVENT_ID_PATTERN);
export const parseRequestId = parser<RequestId>(REQUEST_ID_PATTERN);
/** 1 to 128 printable ASCII characters without `#`, `/` or space. */
export const parseUserId = parser<UserId>(USER_ID_PATTERN);

function parser<Id extends string>(pattern: string): (text: unknown) => Id | undefined {
  const regex = new RegExp(pattern);
  return (text) => (typeof text === 'string' && regex.test(text) ? (text as Id) : undefined);
}
