import { type Json, JsonNumber } from "./json.ts";
import type { Token } from "./tokens.ts";

/**
 * Puts one JSON value together, token by token; answers the value with its last token, undefined before. Of a repeated
 * name the last one counts, as with JSON.parse. It can be used again for the next value.
 */
export function valueBuilder(): (token: Token) => Json | undefined {
  const open: (Json[] | Record<string, Json>)[] = [];
  const names: string[] = [];

  const place = (value: Json): Json | undefined => {
    const parent = open.at(-1);
    if (parent === undefined) return value;
    if (Array.isArray(parent)) parent.push(value);
    else parent[names.pop() as string] = value;
    return undefined;
  };

  return (token) => {
    switch (token.name) {
      case "startObject":
        // Without a prototype, a file's "__proto__" is a name like any other.
        open.push(Object.create(null) as Record<string, Json>);
        return undefined;
      case "startArray":
        open.push([]);
        return undefined;
      case "keyValue":
        names.push(token.value);
        return undefined;
      case "endObject":
      case "endArray":
        return place(open.pop() as Json);
      case "numberValue":
        return place(new JsonNumber(token.value));
      case "stringValue":
      case "trueValue":
      case "falseValue":
      case "nullValue":
        return place(token.value);
      default:
        return undefined;
    }
  };
}
