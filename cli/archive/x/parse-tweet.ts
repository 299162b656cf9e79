import { type ParsedStatus, parseStatus } from "../../import/twitter/parse-status.ts";
import { isList, isObject, type Json, type JsonObject } from "../../json/json.ts";
import { Refusal } from "../../refusal.ts";

/** The owner of an archive: the id at X, "" when the archive does not say, and the name here. */
export interface Owner {
  originId: string;
  screenName: string;
}

/**
 * Reads a tweet of an archive, whatever author it names. Its numbers are numbers afterwards.
 * @throws Refusal naming the first field that is missing or wrong.
 */
export function parseTweet(tweet: JsonObject, owner: Owner): ParsedStatus {
  const parsed = parseStatus(plainTweet(tweet), { id_str: "1" });
  if (BigInt(parsed.id) >= 2n ** 64n) throw new Refusal("id is not an id");
  const { message } = parsed;
  if (message.status && owner.originId !== "" && message.inReplyToUserOriginId === owner.originId) {
    message.status.inReplyToScreenName = owner.screenName;
  }
  return parsed;
}

/**
 * Writes a tweet of an archive as API v1.1 does, in place: archives spell every number as a string. Invalid values stay: parseStatus
 * refuses them.
 */
function plainTweet(tweet: JsonObject): JsonObject {
  const { entities, extended_entities: extended } = tweet;
  return Object.assign(tweet, {
    entities: isObject(entities) ? plainEntities(entities) : entities,
    extended_entities: isObject(extended) ? { media: plainList(extended.media) } : undefined,
    coordinates: plainPoint(tweet.coordinates),
    geo: plainPoint(tweet.geo),
  });
}

/** The lists that parseStatus reads. */
function plainEntities(entities: JsonObject): JsonObject {
  return {
    media: plainList(entities.media),
    urls: plainList(entities.urls),
    user_mentions: plainList(entities.user_mentions),
    hashtags: plainList(entities.hashtags),
  };
}

function plainList(list: Json | undefined): Json | undefined {
  return isList(list) ? list.map(plainEntity) : list;
}

function plainEntity(entity: Json): Json {
  if (!isObject(entity)) return entity;
  const { indices, sizes } = entity;
  return Object.assign(entity, {
    indices: isList(indices) ? indices.map(plainNumber) : indices,
    sizes: isObject(sizes) ? plainSizes(sizes) : sizes,
  });
}

function plainSizes(sizes: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, plainSize(size)]));
}

function plainSize(size: Json | undefined): Json | undefined {
  return isObject(size) ? { ...size, w: plainNumber(size.w), h: plainNumber(size.h) } : size;
}

function plainPoint(place: Json | undefined): Json | undefined {
  if (!isObject(place) || !isList(place.coordinates)) return place;
  return { ...place, coordinates: place.coordinates.map(plainNumber) };
}

function plainNumber<T extends Json | undefined>(value: T): T | number {
  return typeof value === "string" && /^-?\d{1,15}(?:\.\d+)?$/.test(value) ? Number(value) : value;
}
