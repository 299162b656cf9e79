import { isObject, type Json, type JsonObject } from "../../json/json.ts";
import type { Item, Kind } from "../source.ts";
import { fieldOf } from "./fields.ts";

/** One user or status of a file: an item of its own, or an embedded record, which is found inside another one. */
export interface FileRecord {
  /** Undefined for something that is neither a user nor a status. */
  kind: Kind | undefined;
  path: string;
  value: Json;
  /** The user who embeds the status; without one the status names its own author. */
  author?: Json;
  /**
   * Whether a status is inside another one: in some places Twitter writes those without their user, such as the retweet in
   * a user's latest status.
   */
  embedded?: boolean;
}

/**
 * The item itself, then all records that are embedded in it.
 * @throws Refusal when the item is not JSON.
 */
export function recordsIn({ kind, path, read }: Item): [FileRecord, ...FileRecord[]] {
  const value = read();
  const found: [FileRecord, ...FileRecord[]] = [{ kind: kind ?? kindOf(value), path, value }];
  for (const record of found) found.push(...embeddedIn(record));
  return found;
}

/** Whether a status is embedded and does not name its author: it cannot be imported. */
export function isAuthorless({ embedded, value }: FileRecord): boolean {
  return embedded === true && isObject(value) && fieldOf(value, "user") === undefined;
}

// Only statuses have a text or an author; only users have a screen name or followers.
/** What a record is, by its fields; undefined for something else. */
export function kindOf(value: Json): Kind | undefined {
  if (!isObject(value)) return undefined;
  if (hasAny(value, ["text", "full_text", "extended_tweet", "user", "retweeted_status"])) return "status";
  return hasAny(value, ["screen_name", "followers_count"]) ? "user" : undefined;
}

function hasAny(value: JsonObject, names: readonly string[]): boolean {
  return names.some((name) => fieldOf(value, name) !== undefined);
}

function embeddedIn({ kind, path, value, author }: FileRecord): FileRecord[] {
  if (kind === undefined || !isObject(value)) return [];
  if (kind === "user") return statusIn(value, path, "status", { author: value });
  return [
    ...(author === undefined ? authorIn(value, path) : []),
    ...statusIn(value, path, "retweeted_status", { embedded: true }),
    ...statusIn(value, path, "quoted_status", { embedded: true }),
  ];
}

function statusIn(
  value: JsonObject,
  path: string,
  name: string,
  how: Pick<FileRecord, "author" | "embedded">,
): FileRecord[] {
  const inner = fieldOf(value, name);
  return inner === undefined ? [] : [{ kind: "status", path: `${path}.${name}`, value: inner, ...how }];
}

function authorIn(status: JsonObject, path: string): FileRecord[] {
  const value = fieldOf(status, "user");
  return value === undefined || isReference(value) ? [] : [{ kind: "user", path: `${path}.user`, value }];
}

// Timelines that were asked for with trim_user name their author by id only: there is no user to import.
function isReference(user: Json): boolean {
  return isObject(user) && Object.keys(user).every((name) => name === "id" || name === "id_str");
}
