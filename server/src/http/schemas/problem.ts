import { Type } from 'typebox';
import { type ErrorCode, errorCatalogue } from '../../domain/errors.ts';
import { literals } from './common.ts';

export const ProblemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: literals(Object.keys(errorCatalogue) as ErrorCode[]),
    detail: Type.Optional(Type.String()),
  },
  { $id: 'Problem', description: 'An error as of RFC 9457; `code` is stable.' },
);

/** The answers other than success that a route can give, for its schema. */
export function problems(...codes: readonly ErrorCode[]) {
  const byStatus: Record<number, ErrorCode[]> = {};
  for (const code of codes) {
    const { status } = errorCatalogue[code];
    byStatus[status] = [...(byStatus[status] ?? []), code];
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${errorCatalogue[code].title}`).join(' '),
        content: { 'application/problem+json': { schema: Type.Ref('Problem') } },
      },
    ]),
  );
}

export const participantProblems = [
  'INVALID_REQUEST',
  'UNAUTHENTICATED',
  'TOO_MANY_REQUESTS',
] as const;
export const operatorProblems = ['INVALID_REQUEST', 'UNAUTHENTICATED', 'FORBIDDEN'] as const;
