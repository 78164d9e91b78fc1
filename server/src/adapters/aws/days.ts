import { dayOf } from '../../domain/keys.ts';
import { BadPosition, type Page, type PageRequest } from '../../ports/page.ts';
import { chunksOf } from './chunks-of.ts';
import type { DynamoTable, Item } from './dynamo-table.ts';

/** What is kept in one partition a day, the latest first; a position is a day and a sort key. */
export async function listDays(
  table: DynamoTable,
  prefix: string,
  { latest, count }: { readonly latest: number; readonly count: number },
  { after, limit }: PageRequest,
): Promise<Page<Item>> {
  const start = after === null ? { day: dayOf(latest), before: '~' } : startOf(after);
  const items: Item[] = [];
  for (const days of chunksOf(daysBack(start.day, count), daysAtOnce)) {
    const found = await Promise.all(
      days.map((day) =>
        table.query({
          KeyConditionExpression: 'PK = :day AND SK < :before',
          ExpressionAttributeValues: {
            ':day': `${prefix}${day}`,
            ':before': day === start.day ? start.before : '~',
          },
          ScanIndexForward: false,
          Limit: limit + 1 - items.length,
          ConsistentRead: true,
        }),
      ),
    );
    items.push(...found.flat());
    if (items.length > limit) break;
  }
  const last = items[limit - 1];
  const next = items.length > limit && last !== undefined ? positionOf(last, prefix) : null;
  return { items: items.slice(0, limit), next };
}

function positionOf({ PK, SK }: Item, prefix: string): string {
  return `${PK.slice(prefix.length)}/${SK}`;
}

function startOf(after: string): { readonly day: string; readonly before: string } {
  const [, day, before] = positionPattern.exec(after) ?? [];
  if (day === undefined || before === undefined || Number.isNaN(Date.parse(day))) {
    throw new BadPosition();
  }
  return { day, before };
}

function daysBack(from: string, count: number): string[] {
  const start = Date.parse(from);
  return Array.from({ length: count }, (_, index) => dayOf(start - index * dayMs));
}

const positionPattern = /^(\d{4}-\d{2}-\d{2})\/(\d{13}#[\w-]+)$/;
const dayMs = 24 * 60 * 60 * 1000;
const daysAtOnce = 10;
