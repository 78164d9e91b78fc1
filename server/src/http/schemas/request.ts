import { Type } from 'typebox';
import { EVENT_TYPES, FAILURE_CLASSES, RESULT_CODES, STATUSES } from '../../domain/request.ts';
import { literals, nullable, Timestamp } from './common.ts';

const requestProperties = {
  requestId: Type.String(),
  eventId: Type.String(),
  eventType: literals(EVENT_TYPES),
  status: literals(STATUSES),
  step: literals(['RECEIVED', 'QUEUED', 'PROCESSING', 'DONE']),
  uiPhase: nullable(literals(['COLLECTING', 'DRAWING', 'ANNOUNCED'])),
  uiResult: literals(['PENDING', 'SUCCESS', 'REJECTED', 'FAILED']),
  resultCode: nullable(literals(RESULT_CODES)),
  requestedAt: Timestamp,
  queuedAt: nullable(Timestamp),
  startedAt: nullable(Timestamp),
  finishedAt: nullable(Timestamp),
  queueDelayMs: nullable(Type.Integer({ description: 'startedAt - queuedAt' })),
  e2eDelayMs: nullable(Type.Integer({ description: 'finishedAt - queuedAt' })),
  position: nullable(Type.Integer({ description: 'People ahead; 0 is next.' })),
  etaMs: nullable(Type.Integer({ description: 'Estimated time until it is settled.' })),
  lotteryCutoffAt: nullable(Timestamp),
  announcedAt: nullable(Timestamp),
};

export const RequestSchema = Type.Object(requestProperties, { $id: 'Request' });

export const OperatorRequestSchema = Type.Object(
  {
    ...requestProperties,
    userId: Type.String(),
    isRedriven: Type.Boolean(),
    failureClass: nullable(literals(FAILURE_CLASSES)),
    errorCode: nullable(Type.String()),
    errorMessage: nullable(Type.String()),
  },
  { $id: 'OperatorRequest' },
);

export const AcceptedSchema = Type.Object(
  {
    requestId: Type.String(),
    isDuplicate: Type.Boolean({ description: 'You take part already; this is your request.' }),
  },
  { $id: 'Accepted' },
);

export const StatusChangeSchema = Type.Object(
  {
    fromStatus: nullable(literals(STATUSES)),
    toStatus: literals(STATUSES),
    occurredAt: Timestamp,
    message: nullable(Type.String()),
  },
  { $id: 'StatusChange' },
);
