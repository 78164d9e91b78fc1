import type { MessageId, RequestId } from '../../domain/ids.ts';

/** What the queue stores under event and request: a format byte and how often it was received. */
export const newMessage = Buffer.from([1, 0]);

export function receivedMessage(receiveCount: number): Buffer {
  return Buffer.from([messageFormat, Math.min(receiveCount, receiveCountMax)]);
}

/** Undefined for anything that we did not write. */
export function readReceiveCount(value: Buffer): number | undefined {
  return value.length === 2 && value[0] === messageFormat ? value[1] : undefined;
}

/** A request is in the queue once at most, so its id names its message too. */
export function messageIdOf(requestId: RequestId): MessageId {
  return requestId as string as MessageId;
}

const messageFormat = 1;
const receiveCountMax = 255;
