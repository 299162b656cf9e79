import { isList, isObject, type Json, type JsonObject } from "../../json/json.ts";

/**
 * The audience of an activity and the object in it: public posts and unlisted ones have the public collection in `to` or
 * `cc` (ActivityPub §5.6). If both the activity and the object have such a field, both must be public, so that a post never becomes
 * more public than it was.
 */
export function audienceOf(activity: JsonObject): "public" | "followers-only" | "direct" {
  const said = [activity, activity.object].filter(isObject).map(receiversOf);
  const lists = said.filter((receivers) => receivers !== undefined);
  if (lists.length > 0 && lists.every((receivers) => receivers.some(isPublic))) return "public";
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

function isPublic(receiver: string): boolean {
  return publicNames.has(receiver);
}

const publicNames = new Set(["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"]);

// The collection of an actor's followers, by the name that servers give it.
function isFollowers(receiver: string): boolean {
  return /\/followers\/?$/.test(receiver);
}
