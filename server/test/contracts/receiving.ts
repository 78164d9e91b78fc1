import type { Event } from '../../src/domain/event.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { invariant } from '../../src/domain/invariant.ts';
import type { Failure } from '../../src/domain/request.ts';
import type { Delivery, Message } from '../../src/ports/queue.ts';
import type { Settled } from '../../src/ports/settlement.ts';
import type { TestEngine } from './test-engine.ts';

/** Whatever is visible right now, without waiting. */
export function receiveNow(tested: TestEngine, limit = 10): Promise<readonly Delivery[]> {
  return tested.engine.queue.receive(limit, 0, new AbortController().signal);
}

/** The same, decodable messages only, in queue order: an engine may deliver in any. */
export async function receiveMessages(tested: TestEngine, limit = 10): Promise<Message[]> {
  const deliveries = await receiveNow(tested, limit);
  return deliveries
    .filter((delivery) => delivery.kind === 'participation')
    .sort((a, b) => (a.requestId < b.requestId ? -1 : 1));
}

export async function receiveOne(tested: TestEngine): Promise<Message> {
  const [message] = await receiveMessages(tested, 1);
  invariant(message !== undefined, 'One message is visible.');
  return message;
}

/** Settles and, as every engine allows, acknowledges what came to its end. */
export async function settleNow(
  tested: TestEngine,
  event: Event,
  messages: readonly Message[],
): Promise<readonly Settled[]> {
  const { settlement, queue } = tested.engine;
  const outcomes = await settlement.settle(event, messages, tested.now(), tested.now());
  await queue.acknowledge(messages.filter((_, index) => outcomes[index]?.kind !== 'behind'));
  return outcomes;
}

/** Receives and settles until nothing of the event is left. */
export async function settleAll(tested: TestEngine, event: Event, limit = 10): Promise<void> {
  for (;;) {
    const messages = await receiveMessages(tested, limit);
    if (messages.length === 0) return;
    const own = messages.filter(({ eventId }) => eventId === event.eventId);
    await settleNow(tested, event, own);
  }
}

/** Receives a message as often as allowed and drops it each time, until it is a dead letter. */
export async function dropUntilDead(tested: TestEngine, limit = 1): Promise<void> {
  for (let receive = 0; receive < tested.receivesMax; receive += 1) {
    const received = await receiveNow(tested, limit);
    invariant(received.length > 0, 'The message is still alive.');
    await tested.advance(tested.visibilityMs);
  }
  await receiveNow(tested, limit).then((left) => tested.engine.queue.giveBack(left));
}

/** Ends a request as one that another try may mend, as a worker does on the last attempt. */
export async function failRetryably(
  tested: TestEngine,
  event: Event,
  requestId: RequestId,
): Promise<void> {
  const now = tested.now();
  const reference = { eventId: event.eventId, requestId };
  await tested.engine.settlement.fail(reference, 'FAILED_WORKER', brokenStore, now, now);
}

export const brokenStore: Failure = {
  failureClass: 'RETRYABLE',
  errorCode: 'STORE_DOWN',
  errorMessage: 'The store did not answer.',
};

export const badContent: Failure = {
  failureClass: 'NON_RETRYABLE',
  errorCode: 'BAD_CONTENT',
  errorMessage: 'The message makes no sense.',
};
