import { Type } from 'typebox';
import { EVENT_STATUSES } from '../../domain/event.ts';
import { EVENT_ID_PATTERN } from '../../domain/ids.ts';
import { RESULT_CODES, STATUSES } from '../../domain/request.ts';
import { literals, nullable, Timestamp } from './common.ts';

const Title = Type.String({ minLength: 1, maxLength: 200 });
const CapacityTotal = Type.Integer({ minimum: 1, maximum: 1_000_000_000 });

export const EventSchema = Type.Object(
  {
    eventId: Type.String(),
    title: Type.String(),
    eventType: Type.Literal('FIRST_COME'),
    status: literals(EVENT_STATUSES),
    opensAt: Timestamp,
    closesAt: Timestamp,
    timezone: Type.String(),
    capacityTotal: Type.Integer(),
    isSoldOut: Type.Boolean(),
    serverTime: Timestamp,
  },
  { $id: 'Event', description: 'An event as a participant may know it.' },
);

export const OperatorEventSchema = Type.Object(
  {
    ...EventSchema.properties,
    indexShards: Type.Integer(),
    capacityRemaining: Type.Integer(),
    soldOutAt: nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'OperatorEvent' },
);

export const EventDefinitionSchema = Type.Object(
  {
    eventId: Type.Optional(Type.String({ pattern: EVENT_ID_PATTERN })),
    title: Title,
    eventType: Type.Literal('FIRST_COME'),
    opensAt: Type.Optional(Timestamp),
    closesAt: Type.Optional(Timestamp),
    timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    capacityTotal: CapacityTotal,
    indexShards: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
  },
  { additionalProperties: false },
);

export const EventPatchSchema = Type.Object(
  {
    title: Type.Optional(Title),
    opensAt: Type.Optional(Timestamp),
    closesAt: Type.Optional(Timestamp),
    capacityTotal: Type.Optional(CapacityTotal),
    status: Type.Optional(literals(EVENT_STATUSES)),
  },
  { additionalProperties: false, minProperties: 1 },
);

const Count = Type.Integer({ minimum: 0 });
const Percentiles = Type.Object({
  p50: nullable(Count),
  p95: nullable(Count),
  p99: nullable(Count),
});

export const EventSummarySchema = Type.Object(
  {
    eventId: Type.String(),
    byStatus: Type.Object(Object.fromEntries(STATUSES.map((status) => [status, Count]))),
    byResultCode: Type.Object(Object.fromEntries(RESULT_CODES.map((code) => [code, Count]))),
    capacityTotal: Count,
    capacityRemaining: Count,
    soldOutAt: nullable(Timestamp),
    inversions: Count,
    displaced: Count,
    deadLetters: Count,
    queueDelayMs: Percentiles,
    e2eDelayMs: Percentiles,
  },
  { $id: 'EventSummary' },
);
