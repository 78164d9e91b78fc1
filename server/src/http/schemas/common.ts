import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { EVENT_ID_PATTERN, REQUEST_ID_PATTERN } from '../../domain/ids.ts';

export const Timestamp = Type.Integer({
  minimum: 0,
  maximum: 9_999_999_999_999,
  description: 'Epoch milliseconds.',
});

export const EventIdParams = Type.Object({
  eventId: Type.String({ pattern: EVENT_ID_PATTERN }),
});

export const RequestIdParams = Type.Object({
  requestId: Type.String({ pattern: REQUEST_ID_PATTERN }),
});

export const MessageIdParams = Type.Object({
  messageId: Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' }),
});

const pageProperties = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
};

/** Anything that is not named here is refused, a userId above all. */
export const NoQuery = Type.Object({}, { additionalProperties: false });
export const PageQuery = queryOf({});

export function queryOf<Properties extends TProperties>(properties: Properties) {
  return Type.Object({ ...pageProperties, ...properties }, { additionalProperties: false });
}

/**
 * As a list of types, not as a union: a union makes the serialiser validate every value to find out
 * which it is.
 */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values, ...rest } = schema as unknown as Simple;
  return Type.Unsafe<Static<Schema> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  });
}

export function pageOf<Schema extends TSchema>(item: Schema) {
  return Type.Object({
    items: Type.Array(item),
    nextCursor: nullable(Type.String({ description: 'Where the list goes on; null at its end.' })),
  });
}

export function literals<Value extends string>(values: readonly Value[]) {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values] });
}

interface Simple {
  readonly type: string;
  readonly enum?: readonly unknown[];
}
