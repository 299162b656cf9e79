import { isObject, type Json, type JsonObject } from "../json/json.ts";
import type { Item } from "../source.ts";
import { fieldOf } from "./fields.ts";

/** One user or status where an item shows it: on top, or embedded in another one. */
export type Sighting =
  | { kind: "user"; path: string; value: Json }
  /**
   * `author` is the user who embeds the status; without one the status names its own. `embedded` tells a status inside
   * another one: Twitter writes those without their user in places, such as the retweet in a user's latest status.
   */
  | { kind: "status"; path: string; value: Json; author?: Json; embedded?: boolean }
  /** Something that is neither. */
  | { kind: undefined; path: string };

/** Everybody and everything that an item shows; the item itself comes first. */
export function sightingsIn(item: Item): [Sighting, ...Sighting[]] {
  const found: [Sighting, ...Sighting[]] = [topOf(item)];
  for (const sighting of found) found.push(...embeddedIn(sighting));
  return found;
}

/** Whether a status stands inside another one and does not say whose it is: nothing that could be imported. */
export function isAuthorless(sighting: Sighting): boolean {
  if (sighting.kind !== "status" || !sighting.embedded) return false;
  return isObject(sighting.value) && fieldOf(sighting.value, "user") === undefined;
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
  if (sighting.kind === "user") return statusIn(value, "status", path, { author: value });
  return [
    ...(sighting.author === undefined ? authorIn(value, path) : []),
    ...statusIn(value, "retweeted_status", path, { embedded: true }),
    ...statusIn(value, "quoted_status", path, { embedded: true }),
  ];
}

function statusIn(
  object: JsonObject,
  name: string,
  path: string,
  how: { author?: Json; embedded?: boolean },
): Sighting[] {
  const value = fieldOf(object, name);
  return value === undefined ? [] : [{ kind: "status", path: `${path}.${name}`, value, ...how }];
}

function authorIn(status: JsonObject, path: string): Sighting[] {
  const value = fieldOf(status, "user");
  return value === undefined || isReference(value) ? [] : [{ kind: "user", path: `${path}.user`, value }];
}

// Timelines asked for with trim_user name their author by id only: nobody to import, and nothing wrong.
function isReference(user: Json): boolean {
  return isObject(user) && Object.keys(user).every((name) => name === "id" || name === "id_str");
}
