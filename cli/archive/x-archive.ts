import { maxImportedBytes } from "../../services/platform/max-entries.ts";
import { refusalReason } from "../errors.ts";
import { createdAtOf } from "../import/twitter/created-at.ts";
import { mediaAtEnd } from "../import/twitter/parse-status.ts";
import { isList, isObject, type Json, type JsonObject, objectIn, textOrNone } from "../json/json.ts";
import { type Element, parseElement, readableElement } from "../json/read-elements.ts";
import { type Archive, ArchiveFault, elementsOf } from "./archive.ts";
import { LongTexts } from "./long-texts.ts";
import { type ArchiveItem, forFollowers, type Owner, postItem, type UserArchive, unwrapped } from "./user-archive.ts";

/** The files of an X archive that are read, by what they hold. Those up to 2019 have no folder `data`; those up to 2018 a file for each month. */
export const xFiles = {
  account: filesCalled("account"),
  protection: filesCalled("protected-history"),
  notes: filesCalled("note-tweet"),
  tweets: filesCalled("(?:tweets?|community-tweet|js/tweets/[0-9]{4}_[0-9]{2})"),
  circle: filesCalled("twitter-circle-tweet"),
  messages: filesCalled("direct-messages(?:-group)?"),
} as const;

/** Whether a file of an archive has one of X's names. A large list continues in -part1, -part2 and so on. */
export function isXFile(name: string): boolean {
  return Object.values(xFiles).some((is) => is(name));
}

function filesCalled(name: string): (path: string) => boolean {
  const pattern = new RegExp(`^(?:data/)?${name}(?:-part[0-9]+)?\\.js$`);
  return (path) => pattern.test(path);
}

/**
 * An archive of X. Its ids are Twitter's, so statuses that came from another source are recognized. Tweets to a circle and all
 * tweets of a protected account were for followers only, and are left out.
 */
export function xArchive(name: string, archive: Archive): UserArchive {
  return {
    name,
    origin: "twitter",
    async *read(screenName) {
      const originId = await ownerIn(archive);
      yield [{ kind: "owner", originId }];
      const isProtected = await isProtectedIn(archive);
      const longTexts = new LongTexts();
      try {
        for await (const notes of elements(archive, xFiles.notes)) {
          for (const { element } of notes) {
            const note = readableElement(element);
            if (isObject(note)) longTexts.add(note);
          }
        }
        for await (const tweets of elements(archive, xFiles.tweets)) {
          yield tweets.map((tweet) =>
            isProtected ? forFollowers : itemOf(tweet, { originId, screenName }, longTexts),
          );
        }
        yield [{ kind: "left out", why: "long texts without a post", count: isProtected ? 0 : longTexts.size }];
      } finally {
        longTexts.close();
      }
      for await (const tweets of elements(archive, xFiles.circle)) yield tweets.map(() => forFollowers);
      for await (const entry of archive.entries(xFiles.messages)) {
        yield [{ kind: "left out", why: "direct", count: await countMessages(entry.read()) }];
      }
    },
    progress: () => archive.progress(),
    close: () => archive.close(),
  };
}

function itemOf({ element, place }: PlacedElement, owner: Owner, longTexts: LongTexts): ArchiveItem {
  try {
    const tweet = unwrapped(objectIn(parseElement(element)));
    const item = postItem(tweet, owner);
    if (item.kind !== "status" || tweet.retweeted_status !== undefined) return item;
    const text = textOrNone(tweet.full_text) || textOrNone(tweet.text);
    const core = longTexts.take(item.status.originId, createdAtOf(tweet).ms, text);
    return core ? postItem(lengthen(tweet, core), owner) : item;
  } catch (error) {
    return { kind: "refused", place, reason: refusalReason(error) };
  }
}

/** The id of the owner; "" where no file says it. */
async function ownerIn(archive: Archive): Promise<string> {
  for await (const found of elements(archive, xFiles.account)) {
    for (const { element } of found) {
      const file = readableElement(element);
      const account = isObject(file) ? file.account : undefined;
      if (isObject(account) && typeof account.accountId === "string") return account.accountId;
    }
  }
  return "";
}

/** Whether the account is protected, by the last change in its history. A broken history fails the import of the archive. */
async function isProtectedIn(archive: Archive): Promise<boolean> {
  let [last, action] = ["", ""];
  for await (const found of elements(archive, xFiles.protection)) {
    for (const { element, place } of found) {
      const file = readableElement(element);
      const change = isObject(file) ? file.protectedHistory : undefined;
      if (!isObject(change))
        throw new ArchiveFault(`${place}: it is not readable, and may say that the account is protected`);
      if (textOrNone(change.protectedAt) < last) continue;
      [last, action] = [textOrNone(change.protectedAt), textOrNone(change.action)];
    }
  }
  return /^protect/i.test(action);
}

interface PlacedElement {
  element: Element;
  /** Such as "data/tweets.js[17]". */
  place: string;
}

async function* elements(archive: Archive, wanted: (name: string) => boolean): AsyncGenerator<PlacedElement[]> {
  for await (const entry of archive.entries(wanted)) {
    for await (const found of elementsOf(entry, { assigned: true })) {
      yield found.map((element) => ({ element, place: `${entry.name}[${element.index}]` }));
    }
  }
}

/**
 * Counts the messages in a file of conversations without reading one: each has the name "messageCreate". Inside a text its
 * quotes would be escaped.
 */
async function countMessages(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let count = 0;
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
    count += text.split(mark).length - 1;
    // Shorter than the name, so that none is counted twice.
    rest = text.slice(1 - mark.length);
  }
  return count;
}

const mark = '"messageCreate"';

/**
 * A tweet with its long text instead of the truncated one, and the entities of the long text. It stays as it is where the long one would
 * be too large to import.
 */
function lengthen(tweet: JsonObject, core: JsonObject): JsonObject {
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
