import { create } from "@bufbuild/protobuf";
import { type ImportedStatus, ImportedStatusSchema } from "../../../proto/gen/social/v1/import_service_pb.ts";
import { isList, isObject, type Json, type JsonObject, numberText } from "../../json/json.ts";
import { atPath, Refusal } from "../../refusal.ts";
import { createdAtOf } from "./created-at.ts";
import { counter, fieldOf, filledTextOf, flagOf, textOf } from "./fields.ts";
import { referenceOf, requiredIdOf } from "./origin-id.ts";
import { parseEntities } from "./parse-entities.ts";
import { parsePoint } from "./parse-point.ts";

/** A status as an import sends it, without the author's id here, which only the account service knows. */
export interface ParsedStatus {
  /** The id at the origin. */
  id: string;
  /** The author's id at the origin. */
  author: string;
  message: ImportedStatus;
}

/**
 * Reads a status of Twitter API v1.1, or of our own public replies.
 * @param author the user who embeds the status; by default the status names its own.
 * @throws Refusal naming the first field that is missing or wrong.
 */
export function parseStatus(value: Json, author?: Json): ParsedStatus {
  if (!isObject(value)) throw new Refusal("the status is not an object");
  const id = requiredIdOf(value, "id");
  const message = create(ImportedStatusSchema, {
    originId: id,
    inReplyToStatusOriginId: referenceOf(value, "in_reply_to_status_id"),
    inReplyToUserOriginId: referenceOf(value, "in_reply_to_user_id"),
    status: {
      text: requiredText(value),
      createdAt: createdAtOf(value).text,
      source: textOf(value, "source") ?? "",
      truncated: flagOf(value, "truncated"),
      favorited: flagOf(value, "favorited"),
      retweeted: flagOf(value, "retweeted"),
      retweetCount: retweetCountOf(value),
      inReplyToScreenName: filledTextOf(value, "in_reply_to_screen_name"),
      entities: parseEntities(value),
      ...parsePoint(value),
    },
  });
  return { id, author: authorId(author ?? fieldOf(value, "user")), message };
}

// Extended mode has full_text in the place of text.
function requiredText(status: JsonObject): string {
  const text = filledTextOf(status, "text") ?? filledTextOf(status, "full_text");
  // A status of pictures alone has none.
  if (text === undefined && !hasMedia(status)) throw new Refusal("text is missing");
  return text ?? "";
}

function hasMedia({ text, full_text: full, entities }: JsonObject): boolean {
  const media = isObject(entities) ? entities.media : undefined;
  return (text === "" || full === "") && isList(media) && media.length > 0;
}

/** A number at Twitter, a string in our own replies. Twitter once wrote 100 or more as "100+", which is read as 100. */
function retweetCountOf(status: JsonObject): number {
  const value = fieldOf(status, "retweet_count");
  if (value === undefined || value === "") return 0;
  return counter("retweet_count", typeof value === "string" ? value.replace(/\+$/, "") : numberText(value));
}

function authorId(author: Json | undefined): string {
  if (author === undefined) throw new Refusal("user is missing");
  if (!isObject(author)) throw new Refusal("user is not an object");
  return atPath("user", () => requiredIdOf(author, "id"));
}
