import type { Fault } from '../domain/errors.ts';

/** What is wrong and what to do about it, in one line, for whoever typed the command. */
export function explainAwsFault(fault: Fault): string {
  const { name = '', code = '', message = '' } = (fault.cause ?? {}) as ErrorOfSdk;
  const reason = sentence(message || code);
  const found = explanations.find(({ when }) => when.test(`${name} ${code} ${message}`));
  return (found?.line ?? withReason)(fault, reason);
}

interface ErrorOfSdk {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
}

type Line = (fault: Fault, reason: string) => string;

const withReason: Line = ({ message }, reason) =>
  reason === '' ? message : `${message} ${reason}`;
const advising =
  (advice: string): Line =>
  (fault, reason) =>
    `${withReason(fault, reason)} ${advice}`;

const endpoints = 'AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_SQS';

const explanations: readonly { readonly when: RegExp; readonly line: Line }[] = [
  {
    when: /CredentialsProvider|TokenProvider/,
    line: (_fault, reason) =>
      `There are no AWS credentials. ${reason} Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run where a role is attached.`,
  },
  {
    when: /ExpiredToken/,
    line: () => 'The AWS credentials have expired. Sign in again.',
  },
  {
    when: /UnrecognizedClient|InvalidClientToken|InvalidSignature|SignatureDoesNotMatch/,
    line: advising(
      'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that the account has the region turned on.',
    ),
  },
  {
    when: /AccessDenied/,
    line: (_fault, reason) =>
      `No access. ${reason} Have it allowed for these credentials, or use others.`,
  },
  {
    when: /Region is missing|region=""/,
    line: () => 'No AWS region is set. Set AWS_REGION, for instance to ap-northeast-2.',
  },
  {
    when: /Region not accepted|ENOTFOUND|EAI_AGAIN/,
    line: advising(`Check AWS_REGION, the network and, where they are set, ${endpoints}.`),
  },
  {
    when: /Timeout|timed out|ECONN|EHOSTUNREACH|ENETUNREACH|EPIPE|socket hang up/,
    line: advising(`Check the network and, where they are set, ${endpoints}.`),
  },
  {
    when: /Invalid URL/,
    line: () => `An AWS endpoint is not a URL. Correct or unset ${endpoints}.`,
  },
  {
    when: /QueueDeletedRecently/,
    line: () => 'A queue of this name was deleted just now. Run this again in a minute.',
  },
];

function sentence(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text}.`;
}
