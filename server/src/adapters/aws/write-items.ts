import type { Item, Key, Write } from './dynamo-table.ts';

/** A condition in DynamoDB's words, `#name` for an attribute and `:name` for a value given here. */
export interface Condition {
  readonly text: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

export interface Changes {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
  readonly when?: Condition;
}

export const ifAbsent: Condition = { text: 'attribute_not_exists(#PK)' };

export function putItem(item: Item, when?: Condition): Write {
  return { Put: { Item: withoutNulls(item), ...conditionOf(when) } };
}

export function deleteItem(key: Key, when?: Condition): Write {
  return { Delete: { Key: key, ...conditionOf(when) } };
}

/** Null values are removed: unknown attributes are absent, never null. */
export function updateItem(key: Key, { set = {}, add = {}, remove = [], when }: Changes): Write {
  const given = Object.entries(set);
  const setNames = given.filter(([, value]) => value !== null).map(([name]) => name);
  const removed = [...remove, ...given.filter(([, value]) => value === null).map(([name]) => name)];
  const addNames = Object.keys(add);
  const clauses = [
    clause('SET', setNames, (name) => `#${name} = :${name}`),
    clause('ADD', addNames, (name) => `#${name} :${name}`),
    clause('REMOVE', removed, (name) => `#${name}`),
  ];
  const values = { ...pick(set, setNames), ...add, ...when?.values };
  const names = [...setNames, ...addNames, ...removed, ...namesIn(when)];
  return {
    Update: {
      Key: key,
      UpdateExpression: clauses.filter((text) => text !== '').join(' '),
      ...(when === undefined ? {} : { ConditionExpression: when.text }),
      ExpressionAttributeNames: asNames(names),
      ...asValues(values),
    },
  };
}

function conditionOf(when: Condition | undefined) {
  if (when === undefined) return {};
  return {
    ConditionExpression: when.text,
    ExpressionAttributeNames: asNames(namesIn(when)),
    ...asValues(when.values ?? {}),
  };
}

function clause(word: string, names: readonly string[], each: (name: string) => string): string {
  return names.length === 0 ? '' : `${word} ${names.map(each).join(', ')}`;
}

function namesIn(when: Condition | undefined): string[] {
  return [...(when?.text.matchAll(/#(\w+)/g) ?? [])].map(([, name = '']) => name);
}

function asNames(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`#${name}`, name]));
}

function asValues(values: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(values);
  if (entries.length === 0) return {};
  return {
    ExpressionAttributeValues: Object.fromEntries(
      entries.map(([name, value]) => [`:${name}`, value]),
    ),
  };
}

function pick(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

function withoutNulls(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)) as Item;
}
