import { type CallingEnd, type Codecs, jsonCodec } from '../adapters/threads/turn-calls.ts';
import type { EventId, RequestId, UserId } from '../domain/ids.ts';
import type { ReadRequest, Viewer } from '../participation/read-request.ts';
import type { Submitted } from '../participation/submit-participation.ts';

export interface Submission {
  readonly eventId: EventId;
  readonly userId: UserId;
}

export interface Look {
  readonly requestId: RequestId;
  readonly viewer: Viewer;
}

export type SubmitCalls = CallingEnd<Submission, Submitted>;
export type ReadCalls = CallingEnd<Look, ReadRequest>;

/** Neither id has a space in it. */
export const submitCodecs: Codecs<Submission, Submitted> = {
  argument: {
    encode: ({ eventId, userId }) => `${eventId} ${userId}`,
    decode(text) {
      const [eventId, userId] = splitInTwo(text);
      return { eventId: eventId as EventId, userId: userId as UserId };
    },
  },
  result: {
    encode: (submitted) =>
      submitted.kind === 'refused'
        ? JSON.stringify(submitted)
        : `${submitted.kind} ${submitted.requestId}`,
    decode(text) {
      if (text.startsWith('{')) return JSON.parse(text);
      const [kind, requestId] = splitInTwo(text);
      return {
        kind: kind as 'accepted' | 'duplicate',
        requestId: requestId as RequestId,
      };
    },
  },
};

export const readCodecs: Codecs<Look, ReadRequest> = { argument: jsonCodec, result: jsonCodec };

function splitInTwo(text: string): [string, string] {
  const at = text.indexOf(' ');
  return [text.slice(0, at), text.slice(at + 1)];
}
