import { isObject, type Json, type JsonObject } from "../json/json.ts";
import type { Item } from "../source.ts";
import { fieldOf } from "./fields.ts";

/** One user or status where an item shows it: on top, or embedded in another one. */
export type Sighting =
  | { kind: "user"; path: string; value: Json }
  /** `author` is the user who embeds the status; without one the status names its own. */
  | { kind: "status"; path: string; value: Json; author?: Json }
  /** Something that is neither. */
  | { kind: undefined; path: string };

/** Everybody and everything that an item shows; the item itself comes first. */
export function sightingsIn(item: Item): [Sighting, ...Sighting[]] {
  const found: [Sighting, ...Sighting[]] = [topOf(item)];
  for (const sighting of found) found.push(...embeddedIn(sighting));
  return found;
}

function topOf({ kind, path, value }: Item): Sighting {
  return { kind: kind ?? kindOf(value), path, value };
}

// Only statuses have a text or an author; only users have a screen name or followers.
function kindOf(value: Json): Sighting["kind"] {
  const has = (...names: string[]) => isObject(value) && names.some((name) => fieldOf(value, name) !== undefined);
  if (has("text", "full_text", "user", "retweeted_status")) return "status";
  return has("screen_name", "followers_count") ? "user" : undefined;
}

function embeddedIn(sighting: Sighting): Sighting[] {
  if (sighting.kind === undefined || !isObject(sighting.value)) return [];
  const { value, path } = sighting;
  if (sighting.kind === "user") return statusIn(value, "status", path, value);
  return [
    ...(sighting.author === undefined ? authorIn(value, path) : []),
    ...statusIn(value, "retweeted_status", path),
    ...statusIn(value, "quoted_status", path),
  ];
}

function statusIn(object: JsonObject, name: string, path: string, author?: Json): Sighting[] {
  const value = fieldOf(object, name);
  if (value === undefined) return [];
  return [{ kind: "status", path: `${path}.${name}`, value, ...(author === undefined ? {} : { author }) }];
}

function authorIn(status: JsonObject, path: string): Sighting[] {
  const value = fieldOf(status, "user");
  return value === undefined || isReference(value) ? [] : [{ kind: "user", path: `${path}.user`, value }];
}

// Timelines asked for with trim_user name their author by id only: nobody to import, and nothing wrong.
function isReference(user: Json): boolean {
  return isObject(user) && Object.keys(user).every((name) => name === "id" || name === "id_str");
}
