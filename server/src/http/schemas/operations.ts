import { Type } from 'typebox';
import { EVENT_ID_PATTERN } from '../../domain/ids.ts';
import { literals, nullable, Timestamp } from './common.ts';

export const DeadLetterSchema = Type.Object(
  {
    messageId: Type.String(),
    requestId: Type.String(),
    eventId: Type.String(),
    userId: Type.String(),
    errorCode: Type.String(),
    errorMessage: Type.String(),
    receiveCount: Type.Integer(),
    occurredAt: Timestamp,
  },
  { $id: 'DeadLetter' },
);

export const deadLetterFilter = {
  eventId: Type.Optional(Type.String({ pattern: EVENT_ID_PATTERN })),
  errorCode: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  userId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
};

export const RedriveSchema = Type.Object(
  {
    messageIds: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
      }),
    ),
    filter: Type.Optional(Type.Object(deadLetterFilter, { additionalProperties: false })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    dryRun: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

export const RedriveReportSchema = Type.Object(
  {
    messageId: Type.String(),
    requestId: nullable(Type.String()),
    outcome: literals(['redriven', 'would-redrive', 'not-found', 'not-failed']),
    isSoldOut: Type.Boolean({
      description:
        'The event is sold out: the request ends REJECTED_CAPACITY, counted as displaced.',
    }),
  },
  { $id: 'RedriveReport' },
);

export const AuditEntrySchema = Type.Object(
  {
    id: Type.String(),
    occurredAt: Timestamp,
    operator: Type.String(),
    action: Type.String(),
    target: Type.String(),
    before: Type.Unknown(),
    after: Type.Unknown(),
  },
  { $id: 'AuditEntry' },
);

export const FaultSchema = Type.Object(
  {
    eventId: Type.String({ pattern: EVENT_ID_PATTERN }),
    kind: literals(['retryable', 'nonretryable']),
    count: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  },
  { additionalProperties: false },
);
