import { isObject, type JsonObject } from "../../import/json/json.ts";
import { Refusal } from "../../import/refusal.ts";
import { type ParsedStatus, parseStatus } from "../../import/twitter/parse-status.ts";
import { plainTweet } from "./plain-tweet.ts";

/** Who the archive belongs to: the id at X, "" when the archive does not say, and the name here. */
export interface Owner {
  originId: string;
  screenName: string;
}

/** The tweet in an element of tweets.js; older archives do without the wrapper. */
export function tweetIn(element: JsonObject): JsonObject {
  return isObject(element.tweet) ? element.tweet : element;
}

/**
 * Reads a tweet of an archive, whoever it names as its author.
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
