import type { Failure } from '../domain/request.ts';

export const failedByFault: Failure = {
  failureClass: 'RETRYABLE',
  errorCode: 'FAULT_SWITCH_RETRYABLE',
  errorMessage: 'The development fault switch made this attempt fail.',
};

export const rejectedByFault: Failure = {
  failureClass: 'NON_RETRYABLE',
  errorCode: 'FAULT_SWITCH_NON_RETRYABLE',
  errorMessage: 'The development fault switch made this request fail.',
};

export function unexpected(error: unknown): Failure {
  return {
    failureClass: 'RETRYABLE',
    errorCode: 'UNEXPECTED',
    errorMessage: error instanceof Error ? error.message : String(error),
  };
}

export const undecodable: Failure = {
  failureClass: 'NON_RETRYABLE',
  errorCode: 'SERDE_ERROR',
  errorMessage: 'The message could not be decoded.',
};
