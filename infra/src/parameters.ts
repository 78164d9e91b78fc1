import { type ContextReader, createContextReader } from './context-reader.ts';
import { longestHandlingSeconds, type MessageQueuesOptions } from './message-queues.ts';
import type { ParticipationTableOptions, WarmThroughputs } from './participation-table.ts';

export interface DataPlaneParameters extends ParticipationTableOptions, MessageQueuesOptions {
  readonly stackName: string;
}

/** Reads the CDK context once and names everything that is wrong with it. */
export function readParameters(context: Readonly<Record<string, unknown>>): DataPlaneParameters {
  const reader = createContextReader(context);
  const parameters: DataPlaneParameters = {
    stackName: reader.text('stackName', /^[A-Za-z][A-Za-z0-9-]{0,127}$/, 'FairlineDataPlane'),
    tableName: reader.text('tableName', /^[A-Za-z0-9_.-]{3,255}$/, 'AsyncEventTable'),
    tableKeyArn: reader.text('tableKeyArn', keyArns, undefined),
    indexProjection: reader.choice('indexProjection', ['KEYS_ONLY', 'ALL'], 'KEYS_ONLY'),
    warmThroughputs: readWarmThroughputs(reader),
    queueName: reader.text('queueName', queueNames, 'fairline-main'),
    deadLetterQueueName: reader.text('deadLetterQueueName', queueNames, 'fairline-dlq'),
    visibilitySeconds: reader.wholeNumber(
      'visibilitySeconds',
      { min: longestHandlingSeconds + 1, max: 43_200 },
      30,
    ),
    maxReceiveCount: reader.wholeNumber('maxReceiveCount', { min: 3, max: 5 }, 5),
  };
  if (parameters.deadLetterQueueName === parameters.queueName) {
    reader.refuse('deadLetterQueueName', 'must differ from queueName');
  }
  reader.finish();
  return parameters;
}

/** All four or none: an index colder than its table throttles the table's writes. */
function readWarmThroughputs(reader: ContextReader): WarmThroughputs | undefined {
  const tableReads = reader.wholeNumber('tableWarmReadUnits', coldReads, undefined);
  const tableWrites = reader.wholeNumber('tableWarmWriteUnits', coldWrites, undefined);
  const indexReads = reader.wholeNumber('indexWarmReadUnits', coldReads, undefined);
  const indexWrites = reader.wholeNumber('indexWarmWriteUnits', coldWrites, undefined);

  const missing = warmNames.filter((name) => !reader.isGiven(name));
  if (missing.length < warmNames.length) {
    for (const name of missing) reader.refuse(name, 'must be given with the other warm units');
  }
  if (!tableReads || !tableWrites || !indexReads || !indexWrites) return undefined;
  return {
    table: { readUnitsPerSecond: tableReads, writeUnitsPerSecond: tableWrites },
    index: { readUnitsPerSecond: indexReads, writeUnitsPerSecond: indexWrites },
  };
}

// What every new on-demand table and index takes at once; warm throughput can only be raised.
const coldReads = { min: 12_000 };
const coldWrites = { min: 4_000 };

const warmNames = [
  'tableWarmReadUnits',
  'tableWarmWriteUnits',
  'indexWarmReadUnits',
  'indexWarmWriteUnits',
];

/** A dot is not allowed, so `.fifo` is not either. */
const queueNames = /^[A-Za-z0-9_-]{1,80}$/;

/** A key, not an alias: rights are given on keys. */
const keyArns = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[A-Za-z0-9-]+$/;
