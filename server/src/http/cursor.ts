import type { Page, PageRequest } from '../ports/page.ts';
import { Problem } from './problem.ts';

/** A cursor names its list, so that one list's cursor cannot be used on another. */
export function pageRequest(
  list: string,
  { limit = 20, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): PageRequest {
  if (cursor === undefined) return { limit, after: null };
  const [ofList, after, ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split('\n');
  if (ofList !== list || after === undefined || after === '' || rest.length > 0) {
    throw new Problem('INVALID_CURSOR');
  }
  return { limit, after };
}

export function pageBody<Item, Body>(
  list: string,
  { items, next }: Page<Item>,
  body: (item: Item) => Body,
): { items: Body[]; nextCursor: string | null } {
  const nextCursor = next === null ? null : Buffer.from(`${list}\n${next}`).toString('base64url');
  return { items: items.map(body), nextCursor };
}
