import { JsonFault } from "./fault.ts";
import type { Json } from "./json.ts";
import { readTokens, type Token } from "./tokens.ts";
import { valueBuilder } from "./value-builder.ts";

/** One element of the list that a file holds. */
export interface FoundItem {
  /** The name that the list goes by in the file; empty when the file is the list. */
  list: string;
  /** Counted from 0 within the list. */
  index: number;
  value: Json;
}

/**
 * Reads the elements of a JSON list, or of the lists that go by one of `names` inside a JSON object; everything else in
 * the file is passed over. Holds one element at a time.
 * @throws JsonFault, after every element that could be read, when the file is broken, cut off or of another shape.
 */
export async function* readItems(
  chunks: AsyncIterable<Uint8Array>,
  names: readonly string[],
): AsyncGenerator<FoundItem> {
  const finder = itemFinder(names);
  try {
    for await (const tokens of readTokens(chunks)) {
      for (const token of tokens) {
        const item = finder.take(token);
        if (item) yield item;
      }
    }
  } catch (error) {
    if (error instanceof JsonFault) throw new JsonFault(error.reason, finder.path());
    throw error;
  }
  if (!finder.found()) throw new JsonFault(`the file holds neither a list nor an object with ${names.join(", ")}`);
}

/** Follows the tokens of one document and picks out the elements. */
function itemFinder(names: readonly string[]) {
  const build = valueBuilder();
  let depth = 0;
  let name = "";
  let list: { name: string; depth: number; next: number } | undefined;
  let found = false;

  const take = (token: Token): FoundItem | undefined => {
    if (list !== undefined && !(token.name === "endArray" && depth === list.depth)) {
      depth += step(token);
      const value = build(token);
      return value === undefined ? undefined : { list: list.name, index: list.next++, value };
    }
    if (token.name === "keyValue" && depth === 1) name = token.value;
    if (token.name === "startArray" && (depth === 0 || (depth === 1 && names.includes(name)))) {
      list = { name, depth: depth + 1, next: 0 };
      found = true;
    }
    if (token.name === "endArray" && depth === list?.depth) list = undefined;
    depth += step(token);
    return undefined;
  };
  return { take, found: () => found, path: () => (list ? `[${list.next}]` : "") };
}

function step(token: Token): number {
  if (token.name === "startObject" || token.name === "startArray") return 1;
  return token.name === "endObject" || token.name === "endArray" ? -1 : 0;
}
