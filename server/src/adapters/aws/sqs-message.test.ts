import { describe, expect, test } from 'vitest';
import type { EventId, RequestId } from '../../domain/ids.ts';
import { decodeSqsMessage, encodeSqsMessage, type SqsMessage } from './sqs-message.ts';

const request = {
  eventId: 'spring' as EventId,
  requestId: '019ca6b1-dc00-7000-8000-000000000001' as RequestId,
};
const message: SqsMessage = { ...request, redriven: false };

describe('the body of a message', () => {
  test('is a version and two ids, nothing more', () => {
    expect(encodeSqsMessage(message)).toBe(
      '{"v":1,"e":"spring","r":"019ca6b1-dc00-7000-8000-000000000001"}',
    );
  });

  test.each([message, { ...message, redriven: true }])('comes back as it was: %o', (sent) => {
    expect(decodeSqsMessage(encodeSqsMessage(sent))).toEqual({ kind: 'participation', ...sent });
  });

  test.each([
    '',
    'no JSON',
    'null',
    '[]',
    '"text"',
    '{}',
    JSON.stringify({ v: 1, e: request.eventId }),
    JSON.stringify({ v: 1, e: request.eventId, r: 'no-request' }),
    JSON.stringify({ v: 1, e: 'no#event', r: request.requestId }),
    JSON.stringify({ v: 1, e: 5, r: request.requestId }),
    encodeSqsMessage(message).slice(0, -1),
  ])('that names no request is undecodable and nobody’s: %s', (body) => {
    expect(decodeSqsMessage(body)).toEqual({ kind: 'undecodable', request: null });
  });

  test.each([
    { v: 2 },
    { v: '1' },
    { v: undefined },
    { redriven: 'yes' },
    { redriven: null },
    { redriven: false },
    { added: true },
  ])('that is otherwise not ours is undecodable, but whose it is can be told: %o', (change) => {
    const body = JSON.stringify({ v: 1, e: request.eventId, r: request.requestId, ...change });
    expect(decodeSqsMessage(body)).toEqual({ kind: 'undecodable', request });
  });
});
