import type { z } from 'zod';

/**
 * A check that no two items of an array have the same value; the fault names the second one's place. The allowed values
 * are worded by `expected`, which gets the place of the first one: the value itself may be private.
 *
 * @param path Leads from an item to its value.
 */
export function eachOnce<Item>(
  keyOf: (item: Item) => unknown,
  expected: (first: number) => string,
  path: readonly string[] = [],
): (context: z.core.ParsePayload<Item[]>) => void {
  return ({ value: items, issues }) => {
    const places = new Map<unknown, number>();
    for (const [index, item] of items.entries()) {
      const first = places.get(keyOf(item));
      if (first === undefined) places.set(keyOf(item), index);
      else {
        const message = `expected ${expected(first)}`;
        issues.push({ code: 'custom', input: items, path: [index, ...path], message });
      }
    }
  };
}
