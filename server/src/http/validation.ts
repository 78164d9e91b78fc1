import { Ajv } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';

/**
 * Bodies are taken as they are; what stands in an address is text and is read as the number or
 * boolean it must be. Nothing unknown is dropped in silence.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const strict = new Ajv({ allErrors: false, useDefaults: false, strict: false });
  const lenient = new Ajv({ allErrors: false, coerceTypes: true, strict: false });
  return ({ schema, httpPart }) => (httpPart === 'body' ? strict : lenient).compile(schema);
}
