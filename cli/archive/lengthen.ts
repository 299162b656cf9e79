import { maxImportedBytes } from "../../services/platform/rules/import-batch.ts";
import { mediaAtEnd } from "../import/twitter/parse-status.ts";
import { isList, isObject, type Json, type JsonObject, textOrNone } from "../json/json.ts";

/**
 * A tweet with its long text instead of the truncated one, and the entities of the long text. It stays as it is where the long one would
 * be too large to import.
 */
export function lengthen(tweet: JsonObject, core: JsonObject): JsonObject {
  const text = textOrNone(core.text);
  const points = [...text];
  const old = isObject(tweet.entities) ? tweet.entities : {};
  const known = new Map(
    entitiesOf(old.user_mentions, (mention) => [textOrNone(mention.screen_name).toLowerCase(), mention] as const),
  );
  const of = (name: string, read: (entity: JsonObject) => Piece) =>
    entitiesOf(core[name], read).flatMap(({ seen, fields }) => placed(points, seen, fields));
  const entities = {
    urls: of("urls", ({ shortUrl, expandedUrl, displayUrl, ...at }) => ({
      seen: [textOrNone(shortUrl), at],
      fields: { url: shortUrl, expanded_url: expandedUrl, display_url: displayUrl },
    })),
    user_mentions: of("mentions", ({ screenName, ...at }) => ({
      seen: [`@${textOrNone(screenName)}`, at],
      fields: known.get(textOrNone(screenName).toLowerCase()) ?? { screen_name: screenName, name: screenName },
    })),
    hashtags: of("hashtags", ({ text: tag, ...at }) => ({ seen: [`#${textOrNone(tag)}`, at], fields: { text: tag } })),
  };
  if (Buffer.byteLength(JSON.stringify([text, entities])) > longest) return tweet;
  return {
    ...tweet,
    full_text: text,
    truncated: false,
    entities,
    ...mediaAtEnd(tweet, text),
  };
}

/** Bytes; the rest is for media and names. */
const longest = maxImportedBytes - 8_192;

interface Piece {
  /** The entity's text, and the entity with its place. */
  seen: [string, JsonObject];
  fields: JsonObject;
}

function entitiesOf<T>(list: Json | undefined, read: (entity: JsonObject) => T): T[] {
  return isList(list) ? list.filter(isObject).map(read) : [];
}

/** An entity at the position that the archive gives, if its text is there; else it would mark other text, so it is dropped. */
function placed(points: string[], [words, at]: [string, JsonObject], fields: JsonObject): JsonObject[] {
  const [start, end] = [Number(at.fromIndex), Number(at.toIndex)];
  if (end - start !== [...words].length) return [];
  const there = points.slice(start, end).join("");
  return there.toLowerCase() === words.toLowerCase() ? [{ ...fields, indices: [start, end] }] : [];
}
