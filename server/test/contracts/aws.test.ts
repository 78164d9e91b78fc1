import { afterAll, beforeAll, vi } from 'vitest';
import { openAwsTestEngine } from '../support/aws/aws-engine.ts';
import { awsVariables } from '../support/aws/aws-variables.ts';
import { type Emulator, startDynamoEmulator } from '../support/aws/dynamo-emulator.ts';
import { startSqsEmulator } from '../support/aws/sqs-emulator.ts';
import { admissionContract } from './admission-contract.ts';
import { auditTrailContract } from './audit-trail-contract.ts';
import { deadLettersContract } from './dead-letters-contract.ts';
import { eventsContract } from './events-contract.ts';
import { failingContract } from './failing-contract.ts';
import { queueContract } from './queue-contract.ts';
import { queueWaitingContract } from './queue-waiting-contract.ts';
import { redeliveryContract } from './redelivery-contract.ts';
import { requestChangesContract } from './request-changes-contract.ts';
import { requestsContract } from './requests-contract.ts';
import { settlementContract } from './settlement-contract.ts';
import { settlementRacesContract } from './settlement-races-contract.ts';
import { statisticsContract } from './statistics-contract.ts';

let dynamo: Emulator;
let sqs: Emulator;
beforeAll(async () => {
  dynamo = await startDynamoEmulator();
  sqs = await startSqsEmulator();
  for (const [name, value] of Object.entries(awsVariables(dynamo, sqs))) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([dynamo.stop(), sqs.stop()]);
});

const create = () => openAwsTestEngine();

admissionContract('aws', create);
eventsContract('aws', create);
requestsContract('aws', create);
queueContract('aws', create);
queueWaitingContract('aws', create);
settlementContract('aws', create);
settlementRacesContract('aws', create);
failingContract('aws', create);
deadLettersContract('aws', create);
redeliveryContract('aws', create);
statisticsContract('aws', create);
auditTrailContract('aws', create);
requestChangesContract('aws', create);
