import { create } from "@bufbuild/protobuf";
import { type Entities, EntitiesSchema } from "../../../proto/gen/social/v1/entities_pb.ts";
import { Refusal } from "../../errors.ts";
import { type Json, numberText } from "../../json/json.ts";
import { counterOf, type Decoration, fieldOf, listOf, referenceOf, textOf } from "./fields.ts";

/**
 * Reads what a status's text refers to, as the file has it; lists that are missing are empty, and an entity without a place in the text
 * is left out. All pictures of a status are in its extended entities, of which `entities` has the first.
 */
export function parseEntities(status: Decoration): Entities {
  const entities = status.in("entities");
  const pictures = status.in("extended_entities").each("media", media);
  return create(EntitiesSchema, {
    media: pictures.length > 0 ? pictures : entities.each("media", media),
    urls: entities.each("urls", link),
    userMentions: entities.each("user_mentions", mention),
    hashtags: entities.each("hashtags", hashtag),
  });
}

function media(entity: Decoration) {
  const sizes = entity.in("sizes");
  return {
    ...link(entity),
    mediaUrl: entity.take("media_url", textOf, ""),
    mediaUrlHttps: entity.take("media_url_https", textOf, ""),
    type: entity.take("type", textOf, ""),
    sizes: Object.fromEntries(Object.keys(sizes.object).map((name) => [name, size(sizes.in(name))])),
  };
}

function size(size: Decoration) {
  return { w: size.take("w", counterOf, 0), h: size.take("h", counterOf, 0), resize: size.take("resize", textOf, "") };
}

function link(entity: Decoration) {
  return {
    url: entity.take("url", textOf, ""),
    displayUrl: entity.take("display_url", textOf, ""),
    expandedUrl: entity.take("expanded_url", textOf, ""),
    indices: indicesOf(entity, "indices"),
  };
}

function mention(entity: Decoration) {
  return {
    // The id at the origin travels as text; the social service puts its own id here.
    id: 0n,
    idStr: entity.take("id", referenceOf, ""),
    name: entity.take("name", textOf, ""),
    screenName: entity.take("screen_name", textOf, ""),
    indices: indicesOf(entity, "indices"),
  };
}

function hashtag(entity: Decoration) {
  // Our own replies spell it "indicies", as the contract demands.
  const name = fieldOf(entity.object, "indices") === undefined ? "indicies" : "indices";
  return { text: entity.take("text", textOf, ""), indices: indicesOf(entity, name) };
}

/** @throws Refusal where there are none */
function indicesOf({ object }: Decoration, name: string): number[] {
  const [start, end, ...more] = listOf(object, name).map(indexOf);
  if (start === undefined || end === undefined || more.length > 0) throw new Refusal(`${name} is not a pair`);
  if (start > end) throw new Refusal(`${name} ends before it starts`);
  return [start, end];
}

function indexOf(index: Json): number {
  const digits = typeof index === "string" ? index : numberText(index);
  if (digits === undefined || !/^\d{1,9}$/.test(digits)) throw new Refusal("an index is not a whole number");
  return Number(digits);
}
