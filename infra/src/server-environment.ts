import type { DataPlaneParameters } from './parameters.ts';

/**
 * What the server must be told to use this stack. No name can hold a space or a quote, so it can be
 * copied into a shell, or split at its spaces into an environment file.
 */
export function serverEnvironment(parameters: DataPlaneParameters): string {
  return [
    'FAIRLINE_ENGINE=aws',
    `FAIRLINE_TABLE=${parameters.tableName}`,
    `FAIRLINE_QUEUE=${parameters.queueName}`,
    `FAIRLINE_DLQ=${parameters.deadLetterQueueName}`,
    `FAIRLINE_VISIBILITY_SECONDS=${parameters.visibilitySeconds}`,
    `FAIRLINE_RECEIVES_MAX=${parameters.maxReceiveCount}`,
  ].join(' ');
}
