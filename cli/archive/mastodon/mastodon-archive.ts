import { isObject, textOrNone } from "../../import/json/json.ts";
import { Refusal, refusalReason } from "../../import/refusal.ts";
import type { Archive, ArchiveEntry } from "../archive.ts";
import { elementsOf } from "../elements-of.ts";
import { ArchiveFault } from "../fault.ts";
import type { Found, OwnArchive } from "../found.ts";
import { limits } from "../limits.ts";
import { parseElement } from "../parse-element.ts";
import { audienceOf } from "./audience.ts";
import { parseNote } from "./parse-note.ts";

/** Whether Mastodon calls a file of an archive so, as far as it is looked at. */
export function isMastodonFile(name: string): boolean {
  return name === outbox || name === actorFile;
}

export const outbox = "outbox.json";
const actorFile = "actor.json";

/**
 * An archive as Mastodon hands it out. Notes that were for everybody are taken; boosts are not: what they repeat is not in
 * the archive.
 */
export function mastodonArchive(name: string, archive: Archive): OwnArchive {
  return {
    name,
    origin: "mastodon",
    async *read(screenName) {
      let found = false;
      for await (const entry of archive.entries(isMastodonFile)) {
        if (entry.name === actorFile) yield { kind: "owner", originId: await actorIn(entry) };
        else yield* notesIn(entry, screenName);
        found ||= entry.name === outbox;
      }
      if (!found) throw new ArchiveFault(`it holds no ${outbox}`);
    },
    close: () => archive.close(),
  };
}

async function* notesIn(entry: ArchiveEntry, screenName: string): AsyncGenerator<Found> {
  let index = 0;
  for await (const text of elementsOf(entry, { under: "orderedItems" })) {
    const place = `${entry.name}.orderedItems[${index++}]`;
    try {
      yield foundIn(text, screenName);
    } catch (error) {
      yield { kind: "refused", place, reason: refusalReason(error) };
    }
  }
}

function foundIn(text: string, screenName: string): Found {
  const activity = parseElement(text);
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
    if (size > limits.itemBytes) throw new ArchiveFault(`${actorFile} is larger than ${limits.itemBytes} bytes`);
    parts.push(part);
  }
  try {
    const { id } = parseElement(Buffer.concat(parts).toString());
    return typeof id === "string" ? id : "";
  } catch (error) {
    throw new ArchiveFault(`${actorFile}: ${refusalReason(error)}`);
  }
}
