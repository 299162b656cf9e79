import type { Json } from "../json/json.ts";

/** Where users and statuses come from: a file, or a list in memory. */
export interface ImportSource {
  /** Its name in reports, such as the file's name. */
  name: string;
  /**
   * The items in lists of some, in an order that is the same every time.
   * @throws JsonFault when the rest cannot be read; the items before it are imported all the same.
   */
  items(): AsyncIterable<readonly Item[]>;
  /** How much of it has been read, 0 to 1. */
  progress?(): number;
}

/** One user or status that has not been parsed. */
export interface Item {
  /** The kind that the source names; undefined if it names none. */
  kind?: Kind | undefined;
  /** Its position within the source, such as "[17]". */
  path: string;
  /** @throws Refusal when it is not JSON. */
  read(): Json;
}

export type Kind = "user" | "status";

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
