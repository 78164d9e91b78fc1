export interface SettleJob {
  readonly eventId: string;
  readonly requestId: string;
}

export const queueName = 'participations';
