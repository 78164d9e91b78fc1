import type { MessageSystemAttributeName, Message as SdkMessage } from '@aws-sdk/client-sqs';
import type { MessageId } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Delivery } from '../../ports/queue.ts';
import { decodeSqsMessage } from './sqs-message.ts';
import { SqsReceipt } from './sqs-receipt.ts';

/** What `deliveryOf` needs to have been asked for. */
export const deliveryAttributes: MessageSystemAttributeName[] = [
  'ApproximateReceiveCount',
  'SentTimestamp',
];

export function deliveryOf({ MessageId, ReceiptHandle, Body, Attributes }: SdkMessage): Delivery {
  const sentAt = Number(Attributes?.SentTimestamp);
  const receiveCount = Number(Attributes?.ApproximateReceiveCount);
  invariant(MessageId !== undefined && ReceiptHandle !== undefined, 'SQS names what it delivers.');
  invariant(sentAt > 0 && receiveCount > 0, 'SQS tells the attributes that it was asked for.');

  const messageId = MessageId as MessageId;
  const decoded = decodeSqsMessage(Body ?? '');
  if (decoded.kind === 'undecodable') {
    const receipt = new SqsReceipt(ReceiptHandle, sentAt, false);
    return { ...decoded, messageId, receiveCount, receipt };
  }
  const { redriven, ...message } = decoded;
  const receipt = new SqsReceipt(ReceiptHandle, sentAt, redriven);
  return { ...message, messageId, receiveCount, receipt };
}
