import type { Json } from "../json/json.ts";
import type { ImportSource, Item } from "./source.ts";

/** A source of users and statuses that are in memory already, in the shapes that files have. */
export function memorySource(name: string, values: Iterable<Json>): ImportSource {
  return {
    name,
    async *items(): AsyncGenerator<Item[]> {
      let items: Item[] = [];
      let index = 0;
      for (const value of values) {
        items.push({ path: `[${index++}]`, read: () => value });
        if (items.length < 100) continue;
        yield items;
        items = [];
      }
      yield items;
    },
  };
}
