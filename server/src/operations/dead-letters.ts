import { type Refused, refused } from '../domain/errors.ts';
import type { EventId, MessageId, UserId } from '../domain/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeadLetter, DeadLetters } from '../ports/dead-letters.ts';
import type { Events } from '../ports/events.ts';
import type { Page, PageRequest, Position } from '../ports/page.ts';
import type { Redelivery } from '../ports/redelivery.ts';
import type { RecordAudit } from './record-audit.ts';

export interface DeadLetterFilter {
  readonly eventId?: EventId | undefined;
  readonly errorCode?: string | undefined;
  readonly userId?: string | undefined;
}

export type RedriveChoice =
  | { readonly messageIds: readonly MessageId[] }
  | { readonly filter: DeadLetterFilter; readonly page: PageRequest };

export type RedriveOutcome = 'redriven' | 'would-redrive' | 'not-found' | 'not-failed';

export interface RedriveReport {
  readonly messageId: MessageId;
  readonly requestId: string | null;
  readonly outcome: RedriveOutcome;
  /** The event is sold out: the request will be rejected for capacity and counted as displaced. */
  readonly isSoldOut: boolean;
}

export function createDeadLetterOperations(
  deadLetters: DeadLetters,
  redelivery: Redelivery,
  events: Events,
  clock: Clock,
  recordAudit: RecordAudit,
) {
  const list = async (filter: DeadLetterFilter, page: PageRequest): Promise<Page<DeadLetter>> => {
    const items: DeadLetter[] = [];
    let after: Position | null = page.after;
    for (let read = 0; read < readMax; read += page.limit) {
      const slice: Page<DeadLetter> = await deadLetters.list({
        limit: page.limit - items.length,
        after,
      });
      items.push(...slice.items.filter((item) => matches(filter, item)));
      after = slice.next;
      if (after === null || items.length === page.limit) break;
    }
    return { items, next: after };
  };

  const redriveOne = async (
    messageId: MessageId,
    isDryRun: boolean,
    operator: UserId,
  ): Promise<RedriveReport> => {
    const deadLetter = await deadLetters.get(messageId);
    if (deadLetter === undefined) {
      return { messageId, requestId: null, outcome: 'not-found', isSoldOut: false };
    }
    const { requestId, eventId } = deadLetter;
    const isSoldOut = (await events.capacityOf(eventId))?.soldOutAt != null;
    if (isDryRun) return { messageId, requestId, outcome: 'would-redrive', isSoldOut };
    const reason = `Redriven by ${operator}.`;
    const redelivered = await redelivery.redeliver(requestId, reason, clock.now());
    await deadLetters.remove(messageId);
    const outcome = redelivered.kind === 'queued' ? 'redriven' : 'not-failed';
    return { messageId, requestId, outcome, isSoldOut };
  };

  /** Status first, then the message, then the dead letter: a crash in between can be repeated. */
  const redrive = async (
    choice: RedriveChoice,
    isDryRun: boolean,
    operator: UserId,
  ): Promise<Page<RedriveReport>> => {
    const chosen =
      'messageIds' in choice
        ? { messageIds: choice.messageIds, next: null }
        : await list(choice.filter, choice.page).then(({ items, next }) => ({
            messageIds: items.map((item) => item.messageId),
            next,
          }));
    const items: RedriveReport[] = [];
    for (const messageId of chosen.messageIds) {
      items.push(await redriveOne(messageId, isDryRun, operator));
    }
    if (!isDryRun && items.length > 0) {
      await recordAudit({ operator, action: 'dlq.redrive', target: 'dlq', after: items });
    }
    return { items, next: chosen.next };
  };

  const discard = async (
    messageId: MessageId,
    operator: UserId,
  ): Promise<{ readonly kind: 'discarded' } | Refused> => {
    const before = await deadLetters.get(messageId);
    if (!(await deadLetters.remove(messageId))) return refused('DEAD_LETTER_NOT_FOUND');
    await recordAudit({ operator, action: 'dlq.delete', target: messageId, before });
    return { kind: 'discarded' };
  };

  return { list, redrive, discard };
}

export type DeadLetterOperations = ReturnType<typeof createDeadLetterOperations>;

function matches({ eventId, errorCode, userId }: DeadLetterFilter, item: DeadLetter): boolean {
  return (
    (eventId === undefined || item.eventId === eventId) &&
    (errorCode === undefined || item.errorCode === errorCode) &&
    (userId === undefined || item.userId === userId)
  );
}

const readMax = 10_000;
