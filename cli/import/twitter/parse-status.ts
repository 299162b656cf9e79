import { create } from "@bufbuild/protobuf";
import type { Entities } from "../../../proto/gen/social/v1/entities_pb.ts";
import { type ImportedStatus, ImportedStatusSchema } from "../../../proto/gen/social/v1/import_service_pb.ts";
import { type Geo, GeoSchema } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { ownId } from "../../../services/platform/rules/ids.ts";
import { atPath, Refusal, refusalReason } from "../../errors.ts";
import { isList, isObject, type Json, type JsonObject, numberText, textOrNone } from "../../json/json.ts";
import { type CreatedAt, createdAtOf } from "./created-at.ts";
import {
  compareIds,
  counterOf,
  type Decoration,
  decorationOf,
  fieldOf,
  filledTextOf,
  flagOf,
  listOf,
  objectOf,
  referenceOf,
  requiredIdOf,
  textOf,
} from "./fields.ts";
import { parseEntities } from "./parse-entities.ts";
import { plainText } from "./plain-text.ts";

/** A status as an import sends it, without the author's id here, which only the account service knows. */
export interface ParsedStatus {
  /** The id at the origin. */
  id: string;
  /** The author's id at the origin. */
  author: string;
  message: ImportedStatus;
  /** The ids of all versions of an edited status, this one included, in their order; empty for others. */
  versions: string[];
  /** The fields that broke a rule and got their default instead. */
  defaulted: string[];
}

/**
 * Reads a status of Twitter API v1.1, of X's archives, or of our own public replies.
 * @param author the user who embeds the status; by default the status names its own.
 * @throws Refusal naming the first field that is missing or wrong, of those without which there is no status.
 */
export function parseStatus(value: Json, author?: Json): ParsedStatus {
  if (!isObject(value)) throw new Refusal("the status is not an object");
  const id = requiredIdOf(value, "id");
  const createdAt = createdAtOf(value);
  const decoration = decorationOf(value);
  const { take, defaulted } = decoration;
  const content = contentOf(decoration, id, createdAt);
  const original = objectOf(value, "retweeted_status");
  const repost = original && atPath("retweeted_status", () => repostOf(original, content));
  const message = create(ImportedStatusSchema, {
    originId: id,
    inReplyToStatusOriginId: take("in_reply_to_status_id", referenceOf, ""),
    inReplyToUserOriginId: take("in_reply_to_user_id", referenceOf, ""),
    ...repost?.ids,
    status: {
      createdAt: createdAt.text,
      source: take("source", textOf, ""),
      favorited: take("favorited", flagOf, false),
      retweeted: take("retweeted", flagOf, false),
      retweetCount: take("retweet_count", retweetCountOf, 0),
      inReplyToScreenName: take("in_reply_to_screen_name", filledTextOf, undefined),
      ...pointIn(decoration),
      ...(repost?.content ?? content),
    },
  });
  return {
    id,
    author: authorId(author ?? fieldOf(value, "user")),
    message,
    versions: versionsOf(decoration, id),
    defaulted,
  };
}

/** The text and what depends on it. */
interface Content {
  text: string;
  entities: Entities;
  truncated: boolean;
}

/** The whole text, without escapes, wherever the status has it: those of more than 140 or 280 characters are cut in `text` or `full_text`. */
function contentOf(status: Decoration, id: string, createdAt: CreatedAt): Content {
  const { object, take, defaulted } = status;
  const whole = {
    ...object,
    ...take("extended_tweet", objectOf, {}),
    ...noteIn(object, take("note_tweet", objectOf, {})),
  };
  const full = filledTextOf(whole, "full_text");
  const escaped = full ?? filledTextOf(whole, "text");
  const entities = parseEntities(decorationOf(whole, defaulted));
  // A status of pictures alone has none.
  if (escaped === undefined && (entities.media.length === 0 || !("text" in whole || "full_text" in whole))) {
    throw new Refusal("text is missing");
  }
  // The flag is that of `text`, or of `full_text` where there is no other.
  const isCut =
    take("truncated", flagOf, false) && escaped === (fieldOf(object, "text") ?? fieldOf(object, "full_text"));
  // Texts of a system like this one are as they were typed.
  const isOwn = ownId(id, new Date(createdAt.ms)) !== undefined;
  const { text, at } = isOwn ? { text: escaped ?? "", at: (index: number) => index } : plainText(escaped ?? "");
  return { text, entities: moved(entities, at), truncated: isCut };
}

/** The long text that a status may have since 2023, as fields of the status. */
function noteIn(status: JsonObject, note: JsonObject): JsonObject {
  const { note_tweet_results: results } = note;
  const found = isObject(results) && isObject(results.result) ? results.result : note;
  const text = textOrNone(found.text);
  const entities = found.entity_set ?? found.entities;
  return text === "" ? {} : { full_text: text, ...(isObject(entities) && { entities }), ...mediaAtEnd(status, text) };
}

/** The media of a status, placed at the end of its long text, which lacks the link that the cut one ends with. */
export function mediaAtEnd({ extended_entities: extended }: JsonObject, text: string): JsonObject {
  if (!isObject(extended)) return {};
  const end = [...text].length;
  const media = listOf(extended, "media").filter(isObject);
  return { extended_entities: { media: media.map((medium) => ({ ...medium, indices: [end, end] })) } };
}

/** The entities at other positions. */
function moved(entities: Entities, at: (index: number) => number): Entities {
  for (const list of [entities.media, entities.urls, entities.userMentions, entities.hashtags]) {
    for (const entity of list) entity.indices = entity.indices.map(at);
  }
  return entities;
}

/**
 * A native retweet as a repost of the original: whose text it has, all of it, after the name of its author.
 * @throws Refusal where the original does not say which status it is
 */
function repostOf(original: JsonObject, { text, entities, truncated }: Content) {
  const id = requiredIdOf(original, "id");
  const user = fieldOf(original, "user");
  const userId = isObject(user) ? referenceOf(user, "id") : "";
  const ids = { repostOfStatusOriginId: id, repostOfUserOriginId: userId };
  const name = (isObject(user) ? filledTextOf(user, "screen_name") : undefined) ?? /^RT @(\w+):/.exec(text)?.[1];
  const content =
    name === undefined ? undefined : readable(() => contentOf(decorationOf(original), id, createdAtOf(original)));
  // Then the original is in none of the files, or refused.
  if (name === undefined || content === undefined) return { ids, content: { text, entities, truncated } };
  const start = `RT @${name}: `;
  moved(content.entities, (index) => [...start].length + index);
  content.entities.userMentions.unshift({
    $typeName: "social.v1.Mention",
    id: 0n,
    idStr: userId,
    name: (isObject(user) ? textOf(user, "name") : undefined) ?? name,
    screenName: name,
    indices: [3, [...start].length - 2],
  });
  return { ids, content: { ...content, text: start + content.text } };
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    refusalReason(error);
    return undefined;
  }
}

/** A number at Twitter, a string in our own replies. Twitter once wrote 100 or more as "100+", which is read as 100. */
function retweetCountOf(status: JsonObject, name: string): number | undefined {
  const value = fieldOf(status, name);
  return counterOf({ [name]: typeof value === "string" ? value.replace(/\+$/, "") : value }, name);
}

function authorId(author: Json | undefined): string {
  if (author === undefined) throw new Refusal("user is missing");
  if (!isObject(author)) throw new Refusal("user is not an object");
  return atPath("user", () => requiredIdOf(author, "id"));
}

/** X writes each version of an edited status as a status of its own; in its archives (edit_info) and in API v1.1 and v2. */
function versionsOf({ in: part, take }: Decoration, id: string): string[] {
  const info = part("edit_info");
  const edit = info.in("edit");
  const lists = [
    info.in("initial").take("editTweetIds", listOf, []),
    edit.in("editControlInitial").take("editTweetIds", listOf, []),
    [edit.take("initialTweetId", textOf, "")],
    part("edit_history").take("edit_tweet_ids", listOf, []),
    take("edit_history_tweet_ids", listOf, []),
  ];
  const ids = lists.flat().map((version) => (typeof version === "string" ? version : (numberText(version) ?? "")));
  const all = new Set([id, ...ids.filter((version) => /^\d{1,20}$/.test(version))]);
  return all.size < 2 ? [] : [...all].sort(compareIds);
}

/** Where a status was written, in the two orders of the contract: from `coordinates` where that is there, else from `geo`. */
function pointIn({ take }: Decoration): { geo?: Geo; coordinates?: Geo } {
  const [lon, lat] = take("coordinates", pairOf, undefined) ?? take("geo", pairOf, undefined)?.toReversed() ?? [];
  if (lon === undefined || lat === undefined) return {};
  return {
    geo: create(GeoSchema, { type: "Point", coordinates: [lat, lon] }),
    coordinates: create(GeoSchema, { type: "Point", coordinates: [lon, lat] }),
  };
}

function pairOf(status: JsonObject, name: string): number[] | undefined {
  const place = objectOf(status, name);
  if (place === undefined) return undefined;
  const list = fieldOf(place, "coordinates");
  const pair = isList(list) ? list.map(degrees) : [];
  if (fieldOf(place, "type") !== "Point" || pair.length !== 2 || pair.some(Number.isNaN)) {
    throw new Refusal(`${name} is not a point of two numbers`);
  }
  const [lon = 0, lat = 0] = name === "coordinates" ? pair : pair.toReversed();
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) throw new Refusal(`${name} is not on the globe`);
  return pair;
}

function degrees(value: Json): number {
  const digits = typeof value === "string" ? value : numberText(value);
  return digits !== undefined && /^-?\d+(?:\.\d+)?(?:e-?\d+)?$/.test(digits) ? Number(digits) : Number.NaN;
}
