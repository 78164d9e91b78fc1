import type { BatchAnswer } from './sqs-batches.ts';

/** SQS has several words for a receipt whose message is deleted or visible again. */
export function isVoidReceipt(code: string | undefined): boolean {
  return code !== undefined && voidReceipt.test(code);
}

/** A void receipt changes nothing, so there is nothing left to do about it. */
export function takingVoidAsDone({ Successful = [], Failed = [] }: BatchAnswer): BatchAnswer {
  return {
    Successful: [...Successful, ...Failed.filter(({ Code }) => isVoidReceipt(Code))],
    Failed: Failed.filter(({ Code }) => !isVoidReceipt(Code)),
  };
}

const voidReceipt = /MessageNotInflight|ReceiptHandleIsInvalid|InvalidParameterValue/;
