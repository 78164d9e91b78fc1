import type { EventId, MessageId, RequestId, UserId } from '../domain/ids.ts';
import type { Page, PageRequest } from './page.ts';

export interface DeadLetter {
  readonly messageId: MessageId;
  readonly requestId: RequestId;
  readonly eventId: EventId;
  readonly userId: UserId;
  readonly errorCode: string;
  readonly errorMessage: string;
  readonly receiveCount: number;
  readonly occurredAt: number;
}

export interface DeadLetters {
  /** The latest first. */
  list(page: PageRequest): Promise<Page<DeadLetter>>;
  get(messageId: MessageId): Promise<DeadLetter | undefined>;
  /** False when there was none. The request stays as it is. */
  remove(messageId: MessageId): Promise<boolean>;
  depth(): Promise<number>;
}
