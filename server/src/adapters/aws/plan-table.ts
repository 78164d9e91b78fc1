import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Timers } from '../../ports/timers.ts';
import { refuseOtherShape } from './other-shape.ts';
import {
  asPlanned,
  notSupported,
  type Plan,
  type PlannedStep,
  type Step,
} from './provision-plan.ts';
import { createTableControl, type TableControl } from './table-control.ts';
import { isTtlOn, tableDifferences } from './table-shape.ts';

/** The table with its indexes, then what is turned on once it exists. */
export async function planTable(
  dynamo: DynamoDBDocumentClient,
  timers: Timers,
  name: string,
): Promise<Plan> {
  const control = createTableControl(dynamo, timers, name);
  const table = (await control.find()) && (await control.settled());
  const ttl = table && (await control.readTtl());
  const recovery = await control.readRecovery();

  /** A part of a new table is created with it, one of an existing table changes it. */
  const turnOn = (part: string, isOn: boolean, act: () => Promise<Partial<Step>>): PlannedStep => {
    const resource = `${part} of ${name}`;
    if (isOn) return { resource, outcome: 'unchanged' };
    return { resource, outcome: table === undefined ? 'created' : 'changed', act };
  };

  return {
    differences: table === undefined ? [] : tableDifferences(table, ttl),
    steps: [
      table === undefined
        ? { resource: `table ${name}`, outcome: 'created', act: () => create(control) }
        : { resource: `table ${name}`, outcome: 'unchanged' },
      turnOn('time to live', isTtlOn(ttl), async () => {
        await control.turnTtlOn();
        return asPlanned;
      }),
      recovery === 'unsupported'
        ? { resource: `point-in-time recovery of ${name}`, ...notSupported }
        : turnOn('point-in-time recovery', recovery === 'on', async () => {
            await control.turnRecoveryOn();
            return asPlanned;
          }),
      turnOn('deletion protection', table?.DeletionProtectionEnabled === true, () =>
        protect(control),
      ),
    ],
  };
}

/** Looks at what it made: another run may have made another one at the same time. */
async function create(control: TableControl): Promise<Partial<Step>> {
  await control.create();
  refuseOtherShape(tableDifferences(await control.settled(), await control.readTtl()));
  return asPlanned;
}

/** A new table is made with it already; an endpoint that does not know it leaves it out silently. */
async function protect(control: TableControl): Promise<Partial<Step>> {
  if ((await control.settled()).DeletionProtectionEnabled) return asPlanned;
  await control.turnProtectionOn();
  return (await control.settled()).DeletionProtectionEnabled ? asPlanned : notSupported;
}
