import { isList, isObject, type Json, type JsonObject } from "../../import/json/json.ts";

/**
 * A tweet of an archive as API v1.1 writes it. Archives spell every number as a string, and keep all pictures of a tweet
 * under extended_entities. What is spelled wrong stays as it is: whoever reads it says so.
 */
export function plainTweet(tweet: JsonObject): JsonObject {
  const { entities, extended_entities: extended } = tweet;
  const media = isObject(extended) && isList(extended.media) ? extended.media : undefined;
  return {
    ...tweet,
    entities: isObject(entities) ? plainEntities({ ...entities, ...(media && { media }) }) : entities,
    coordinates: plainPoint(tweet.coordinates),
    geo: plainPoint(tweet.geo),
  };
}

function plainEntities(entities: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entities).map(([name, list]) => [name, isList(list) ? list.map(plainEntity) : list]),
  );
}

function plainEntity(entity: Json): Json {
  if (!isObject(entity)) return entity;
  const { indices, sizes } = entity;
  return {
    ...entity,
    indices: isList(indices) ? indices.map(plainNumber) : indices,
    sizes: isObject(sizes)
      ? Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, plainSize(size)]))
      : sizes,
  };
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
