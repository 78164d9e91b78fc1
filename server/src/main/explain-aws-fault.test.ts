import { expect, test } from 'vitest';
import { translated } from '../adapters/aws/aws-faults.ts';
import type { Fault } from '../domain/errors.ts';
import { explainAwsFault } from './explain-aws-fault.ts';

test.each([
  ['CredentialsProviderError', 'Could not load', /^There are no AWS credentials\. .*AWS_PROFILE/],
  ['ExpiredTokenException', 'The token is expired', /have expired\. Sign in again/],
  ['UnrecognizedClientException', 'The token is invalid', /Check AWS_ACCESS_KEY_ID/],
  [
    'AccessDeniedException',
    'User: kim is not authorized to perform: dynamodb:CreateTable',
    /^No access\. User: kim .*dynamodb:CreateTable\. Have it allowed/,
  ],
  ['Error', 'Region is missing', /^No AWS region is set\. Set AWS_REGION/],
  ['Error', 'Region not accepted: region="mars 1"', /mars 1.*Check AWS_REGION/],
  ['Error', 'getaddrinfo ENOTFOUND dynamodb.mars-1.amazonaws.com', /mars-1.*Check AWS_REGION/],
  ['Error', 'connect ECONNREFUSED 127.0.0.1:1', /ECONNREFUSED.*AWS_ENDPOINT_URL_SQS/],
  ['TimeoutError', 'Connection timed out after 1000 ms', /reached.*timed out.*Check the network/],
  ['TypeError', 'Invalid URL', /not a URL.*AWS_ENDPOINT_URL/],
  ['QueueDeletedRecently', 'You must wait 60 seconds', /Run this again in a minute/],
  [
    'LimitExceededException',
    'Too many tables.',
    /^DynamoDB .*\(LimitExceeded.*\)\. Too many tables\.$/,
  ],
])('%s (%s) becomes one line that says what to do', async (name, message, line) => {
  const explained = explainAwsFault(await faultOf(Object.assign(new Error(message), { name })));
  expect(explained).toMatch(line);
  expect(explained).not.toContain('\n');
});

test('an error that has a code and no message is told by its code', async () => {
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(explainAwsFault(await faultOf(refused))).toMatch(/reached.* ECONNREFUSED\. Check/);
});

function faultOf(error: Error): Promise<Fault> {
  return translated('DynamoDB', Promise.reject(error)).catch(
    (fault: Fault) => fault,
  ) as Promise<Fault>;
}
