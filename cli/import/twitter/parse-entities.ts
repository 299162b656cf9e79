import { create } from "@bufbuild/protobuf";
import { type Entities, EntitiesSchema } from "../../../proto/gen/social/v1/entities_pb.ts";
import { isList, isObject, type JsonObject, numberText } from "../../json/json.ts";
import { atPath, Refusal } from "../../refusal.ts";
import { counter, counterOf, fieldOf, listOf, objectOf, textOf } from "./fields.ts";
import { referenceOf } from "./origin-id.ts";

/**
 * Reads what a status's text refers to, as the file has it; lists that are missing are empty. All pictures of a status are in its
 * extended entities, of which `entities` has the first.
 */
export function parseEntities(status: JsonObject): Entities {
  const entities = objectOf(status, "entities");
  if (entities === undefined) return create(EntitiesSchema);
  const extended = objectOf(status, "extended_entities");
  const pictures = extended && atPath("extended_entities", () => eachOf(extended, "media", media));
  return atPath("entities", () =>
    create(EntitiesSchema, {
      media: pictures && pictures.length > 0 ? pictures : eachOf(entities, "media", media),
      urls: eachOf(entities, "urls", link),
      userMentions: eachOf(entities, "user_mentions", mention),
      hashtags: eachOf(entities, "hashtags", hashtag),
    }),
  );
}

function eachOf<T>(entities: JsonObject, name: string, read: (entity: JsonObject) => T): T[] {
  return listOf(entities, name).map((entity, index) => {
    if (!isObject(entity)) throw new Refusal(`${name}[${index}] is not an object`);
    return atPath(`${name}[${index}]`, () => read(entity));
  });
}

function media(entity: JsonObject) {
  return {
    ...link(entity),
    mediaUrl: textOf(entity, "media_url") ?? "",
    mediaUrlHttps: textOf(entity, "media_url_https") ?? "",
    type: textOf(entity, "type") ?? "",
    sizes: sizesOf(entity),
  };
}

function sizesOf(entity: JsonObject) {
  const sizes = objectOf(entity, "sizes") ?? {};
  const read = (name: string) => {
    const size = objectOf(sizes, name) ?? {};
    return atPath(name, () => ({
      w: counterOf(size, "w"),
      h: counterOf(size, "h"),
      resize: textOf(size, "resize") ?? "",
    }));
  };
  return atPath("sizes", () => Object.fromEntries(Object.keys(sizes).map((name) => [name, read(name)])));
}

function link(entity: JsonObject) {
  return {
    url: textOf(entity, "url") ?? "",
    displayUrl: textOf(entity, "display_url") ?? "",
    expandedUrl: textOf(entity, "expanded_url") ?? "",
    indices: indicesOf(entity, "indices"),
  };
}

function mention(entity: JsonObject) {
  return {
    // The id at the origin travels as text; the social service puts its own id here.
    id: 0n,
    idStr: referenceOf(entity, "id"),
    name: textOf(entity, "name") ?? "",
    screenName: textOf(entity, "screen_name") ?? "",
    indices: indicesOf(entity, "indices"),
  };
}

function hashtag(entity: JsonObject) {
  // Our own replies spell it "indicies", as the contract demands.
  const name = fieldOf(entity, "indices") === undefined ? "indicies" : "indices";
  return { text: textOf(entity, "text") ?? "", indices: indicesOf(entity, name) };
}

function indicesOf(entity: JsonObject, name: string): number[] {
  const pair = fieldOf(entity, name);
  if (pair === undefined) throw new Refusal("indices is missing");
  if (!isList(pair) || pair.length !== 2) throw new Refusal(`${name} is not a pair`);
  const [start = 0, end = 0] = pair.map((index) => counter(name, numberText(index)));
  if (start > end) throw new Refusal(`${name} ends before it starts`);
  return [start, end];
}
