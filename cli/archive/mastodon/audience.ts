import { isList, isObject, type Json, type JsonObject } from "../../import/json/json.ts";

/**
 * For whom an activity and the object in it were: public posts and unlisted ones name everybody in `to` or `cc` (ActivityPub
 * §5.6). Both have to say so where both say anything: a post is never more public here than it was.
 */
export function audienceOf(activity: JsonObject): "public" | "followers-only" | "direct" {
  const said = [activity, activity.object].filter(isObject).map(receiversOf);
  const lists = said.filter((receivers) => receivers !== undefined);
  if (lists.length > 0 && lists.every((receivers) => receivers.some(isEverybody))) return "public";
  return lists.some((receivers) => receivers.some(isFollowers)) ? "followers-only" : "direct";
}

function receiversOf({ to, cc }: JsonObject): string[] | undefined {
  if (to === undefined && cc === undefined) return undefined;
  return [...namesIn(to), ...namesIn(cc)];
}

function namesIn(receivers: Json | undefined): string[] {
  const list = isList(receivers) ? receivers : [receivers];
  return list.filter((receiver) => typeof receiver === "string");
}

function isEverybody(receiver: string): boolean {
  return everybody.has(receiver);
}

const everybody = new Set(["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"]);

// The collection of an actor's followers, which servers call so.
function isFollowers(receiver: string): boolean {
  return /\/followers\/?$/.test(receiver);
}
