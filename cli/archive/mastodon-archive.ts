import { Refusal, refusalReason } from "../errors.ts";
import { isObject, type Json, type JsonObject, objectIn } from "../json/json.ts";
import { type Element, parseElement, readableElement } from "../json/read-elements.ts";
import { type Archive, elementsOf } from "./archive.ts";
import { idsIn, parseNote } from "./parse-note.ts";
import type { ArchiveItem, UserArchive } from "./user-archive.ts";

/** Whether a file of an archive is one of those of Mastodon that are read. */
export function isMastodonFile(name: string): boolean {
  return name === outbox || name === actorFile;
}

export const outbox = "outbox.json";
const actorFile = "actor.json";

/**
 * An archive of Mastodon, or of another system that writes the same files. Public notes are imported; boosts are left out, since the archive
 * lacks the posts that they repeat.
 */
export function mastodonArchive(name: string, archive: Archive): UserArchive {
  return {
    name,
    origin: "mastodon",
    async *read(screenName) {
      const owner = await ownerIn(archive);
      yield [{ kind: "owner", originId: owner }];
      for await (const entry of archive.entries((file) => file === outbox)) {
        for await (const elements of elementsOf(entry, { names: ["orderedItems"] })) {
          yield elements.flatMap((element) => itemsIn(element, { owner, screenName, place: entry.name }));
        }
      }
    },
    progress: () => archive.progress(),
    close: () => archive.close(),
  };
}

/** The id of the owner; "" where no file says it. */
async function ownerIn(archive: Archive): Promise<string> {
  for await (const entry of archive.entries((file) => file === actorFile)) {
    for await (const [element] of elementsOf(entry, { names: ["@graph"] })) {
      const [id] = element === undefined ? [] : idsIn(readableElement(element));
      if (id !== undefined) return id;
    }
  }
  return "";
}

function itemsIn(
  element: Element,
  { owner, screenName, place }: { owner: string; screenName: string; place: string },
): ArchiveItem[] {
  try {
    const activity = objectIn(parseElement(element));
    const [actor = ""] = idsIn(activity.actor);
    const item = itemOf(activity, actor || owner, screenName);
    // Where there is no actor.json.
    return owner === "" && actor !== "" ? [{ kind: "owner", originId: actor }, item] : [item];
  } catch (error) {
    return [{ kind: "refused", place: `${place}.orderedItems[${element.index}]`, reason: refusalReason(error) }];
  }
}

function itemOf(activity: JsonObject, actor: string, screenName: string): ArchiveItem {
  if (activity.type === "Announce") return { kind: "left out", why: "boosts", count: 1 };
  const audience = audienceOf(activity);
  if (audience !== "public") return { kind: "left out", why: audience, count: 1 };
  const { object } = activity;
  if (activity.type !== "Create" || !isObject(object)) throw new Refusal("it is neither a post nor a boost");
  return parseNote(object, idsIn(object.attributedTo)[0] ?? actor, screenName);
}

/**
 * The audience of an activity and the object in it: public posts and unlisted ones have the public collection in `to` or
 * `cc` (ActivityPub §5.6). If both the activity and the object have such a field, both must be public, so that a post never becomes
 * more public than it was.
 */
function audienceOf(activity: JsonObject): "public" | "followers-only" | "direct" {
  const said = [activity, activity.object].filter(isObject).filter(({ to, cc }) => isThere(to) || isThere(cc));
  const lists = said.map(({ to, cc }) => [...idsIn(to), ...idsIn(cc)]);
  if (lists.length > 0 && lists.every((receivers) => receivers.some((id) => publicNames.has(id)))) return "public";
  // The collection of an actor's followers, by the name that servers give it.
  return lists.some((receivers) => receivers.some((id) => /\/followers\/?$/.test(id))) ? "followers-only" : "direct";
}

/** Null is absent. */
function isThere(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

const publicNames = new Set(["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"]);
