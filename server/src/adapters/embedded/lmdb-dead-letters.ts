import { type MessageId, parseRequestId } from '../../domain/ids.ts';
import type { Failure } from '../../domain/request.ts';
import { bytesOf, requestIdOf } from '../../domain/request-id-bytes.ts';
import { expiry } from '../../domain/retention.ts';
import type { DeadLetter, DeadLetters } from '../../ports/dead-letters.ts';
import { decodeJson, type Environment, encodeJson } from './lmdb-environment.ts';
import type { EventRegistry } from './lmdb-events.ts';
import { writeExpiry } from './lmdb-expiries.ts';
import { lmdbKeys } from './lmdb-keys.ts';
import type { Lanes } from './lmdb-lanes.ts';
import { messageIdOf } from './lmdb-messages.ts';
import { readUserId } from './request-record.ts';
import { listTimed } from './timed-list.ts';

/** Parts of larger writes, which count in the lane themselves. */
export interface DeadLetterWriter {
  write(
    eventNo: number,
    idBytes: Buffer,
    receiveCount: number,
    failure: Failure,
    occurredAt: number,
  ): void;
  /** Undefined when the message is no dead letter. */
  planRemoval(idBytes: Buffer): (() => void) | undefined;
}

/**
 * A dead letter is stored under its time, in the order of the list; a second, 16-byte key tells
 * that time to whoever only knows the message.
 */
export function createDeadLetterWriter(
  env: Environment,
  registry: EventRegistry,
): DeadLetterWriter {
  return {
    write(eventNo, idBytes, receiveCount, failure, occurredAt) {
      const event = registry.byNumber(eventNo);
      const record = env.requests.get(idBytes);
      if (event === undefined || record === undefined) return;
      const requestId = requestIdOf(idBytes);
      const deadLetter: DeadLetter = {
        messageId: messageIdOf(requestId),
        requestId,
        eventId: event.eventId,
        userId: readUserId(record),
        errorCode: failure.errorCode,
        errorMessage: failure.errorMessage,
        receiveCount,
        occurredAt,
      };
      const key = lmdbKeys.timed(occurredAt, idBytes);
      env.deadLetters.put(key, encodeJson(deadLetter));
      env.deadLetters.put(idBytes, key);
      writeExpiry(env, expiry.deadLetter(occurredAt), 'dead-letter', key);
    },

    planRemoval(idBytes) {
      const key = env.deadLetters.get(idBytes);
      if (key === undefined) return undefined;
      return () => {
        env.deadLetters.remove(key);
        env.deadLetters.remove(idBytes);
      };
    },
  };
}

export function createLmdbDeadLetters(
  env: Environment,
  registry: EventRegistry,
  lanes: Lanes,
  writer: DeadLetterWriter,
): DeadLetters {
  const find = (messageId: MessageId): DeadLetter | undefined => {
    const requestId = parseRequestId(messageId);
    const key = requestId && env.deadLetters.get(bytesOf(requestId));
    const stored = key && env.deadLetters.get(key);
    return stored === undefined ? undefined : decodeJson<DeadLetter>(stored);
  };

  return {
    async list(page) {
      return listTimed<DeadLetter>(env.deadLetters, page);
    },

    async get(messageId) {
      return find(messageId);
    },

    async remove(messageId) {
      const deadLetter = find(messageId);
      if (deadLetter === undefined) return false;
      const eventNo = registry.numberOf(deadLetter.eventId);
      return lanes.change<boolean>(eventNo, (draft) => {
        const remove = writer.planRemoval(bytesOf(deadLetter.requestId));
        if (remove === undefined) return { result: false };
        draft.deadLetters -= 1;
        return { result: true, writes: remove };
      });
    },

    async depth() {
      return env.deadLetters.entryCount() / keysEach;
    },
  };
}

/** By time and by message. */
const keysEach = 2;
