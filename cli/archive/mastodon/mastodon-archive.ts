import { isObject, parseObject, textOrNone } from "../../json/json.ts";
import { maxElementBytes } from "../../json/read-elements.ts";
import { Refusal, refusalReason } from "../../refusal.ts";
import { type Archive, type ArchiveEntry, ArchiveFault, elementsOf } from "../archive.ts";
import type { ArchiveItem, UserArchive } from "../user-archive.ts";
import { audienceOf } from "./audience.ts";
import { parseNote } from "./parse-note.ts";

/** Whether a file of an archive is one of those of Mastodon that are read. */
export function isMastodonFile(name: string): boolean {
  return name === outbox || name === actorFile;
}

export const outbox = "outbox.json";
const actorFile = "actor.json";

/**
 * An archive of Mastodon. Public notes are imported; boosts are left out, since the archive lacks the posts that they repeat.
 */
export function mastodonArchive(name: string, archive: Archive): UserArchive {
  return {
    name,
    origin: "mastodon",
    async *read(screenName) {
      let found = false;
      for await (const entry of archive.entries(isMastodonFile)) {
        if (entry.name === actorFile) yield [{ kind: "owner", originId: await actorIn(entry) }];
        else yield* notesIn(entry, screenName);
        found ||= entry.name === outbox;
      }
      if (!found) throw new ArchiveFault(`it holds no ${outbox}`);
    },
    progress: () => archive.progress(),
    close: () => archive.close(),
  };
}

async function* notesIn(entry: ArchiveEntry, screenName: string): AsyncGenerator<ArchiveItem[]> {
  for await (const elements of elementsOf(entry, { names: ["orderedItems"] })) {
    yield elements.map(({ text, index }) => {
      try {
        return itemOf(text, screenName);
      } catch (error) {
        const place = `${entry.name}.orderedItems[${index}]`;
        return { kind: "refused", place, reason: refusalReason(error) };
      }
    });
  }
}

function itemOf(text: string, screenName: string): ArchiveItem {
  const activity = parseObject(text);
  if (activity.type === "Announce") return { kind: "left out", why: "boosts", count: 1 };
  const audience = audienceOf(activity);
  if (audience !== "public") return { kind: "left out", why: audience, count: 1 };
  const { object, actor } = activity;
  if (activity.type !== "Create" || !isObject(object)) throw new Refusal("it is neither a post nor a boost");
  return parseNote(object, textOrNone(object.attributedTo ?? actor), screenName);
}

async function actorIn(entry: ArchiveEntry): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of entry.read()) {
    size += part.length;
    if (size > maxElementBytes) throw new ArchiveFault(`${actorFile} is larger than ${maxElementBytes} bytes`);
    parts.push(part);
  }
  try {
    const { id } = parseObject(new TextDecoder().decode(Buffer.concat(parts)));
    return typeof id === "string" ? id : "";
  } catch (error) {
    throw new ArchiveFault(`${actorFile}: ${refusalReason(error)}`);
  }
}
