/** The first `limit` items of several lists, each already in order. */
export function mergeSorted<Item>(
  lists: readonly (readonly Item[])[],
  compare: (a: Item, b: Item) => number,
  limit: number,
): Item[] {
  const heads = lists.map(() => 0);
  const merged: Item[] = [];
  while (merged.length < limit) {
    let least = -1;
    let item: Item | undefined;
    lists.forEach((list, index) => {
      const head = list[heads[index] ?? 0];
      if (head !== undefined && (item === undefined || compare(head, item) < 0)) {
        least = index;
        item = head;
      }
    });
    if (item === undefined) break;
    merged.push(item);
    heads[least] = (heads[least] ?? 0) + 1;
  }
  return merged;
}
