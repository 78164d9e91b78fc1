import type { Failure } from './request.ts';

/** Why a request failed whose message came back again and again. */
export const receivesExhausted: Failure = {
  failureClass: 'RETRYABLE',
  errorCode: 'RECEIVES_EXHAUSTED',
  errorMessage: 'The message was delivered as often as allowed and never finished.',
};
