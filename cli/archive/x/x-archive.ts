import { createdAtOf } from "../../import/twitter/created-at.ts";
import { isObject, type JsonObject, parseObject, textOrNone } from "../../json/json.ts";
import { refusalReason } from "../../refusal.ts";
import { type Archive, ArchiveFault, elementsOf } from "../archive.ts";
import type { ArchiveItem, UserArchive } from "../user-archive.ts";
import { lengthen } from "./lengthen.ts";
import { LongTexts } from "./long-texts.ts";
import { type Owner, parseTweet } from "./parse-tweet.ts";

/** The files of an X archive that are read, by what they hold. */
export const xFiles = {
  account: filesCalled("account"),
  protection: filesCalled("protected-history"),
  notes: filesCalled("note-tweet"),
  tweets: filesCalled("(?:tweets?|community-tweet)"),
  circle: filesCalled("twitter-circle-tweet"),
  messages: filesCalled("direct-messages(?:-group)?"),
} as const;

/** Whether a file of an archive has one of X's names. A large list continues in -part1, -part2 and so on. */
export function isXFile(name: string): boolean {
  return Object.values(xFiles).some((is) => is(name));
}

function filesCalled(name: string): (path: string) => boolean {
  const pattern = new RegExp(`^data/${name}(?:-part[0-9]+)?\\.js$`);
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
          for (const { text } of notes) addIfReadable(longTexts, text);
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

const forFollowers: ArchiveItem = { kind: "left out", why: "followers-only", count: 1 };

function itemOf({ text, place }: PlacedText, owner: Owner, longTexts: LongTexts): ArchiveItem {
  try {
    const element = parseObject(text);
    // Older archives have no wrapper.
    const tweet = isObject(element.tweet) ? element.tweet : element;
    const { id, message } = parseTweet(tweet, owner);
    const core = longTexts.take(id, createdAtOf(tweet).ms, message.status?.text ?? "");
    const status = core ? parseTweet(lengthen(tweet, core), owner).message : message;
    return { kind: "status", status, order: BigInt(id) };
  } catch (error) {
    return { kind: "refused", place, reason: refusalReason(error) };
  }
}

function addIfReadable(longTexts: LongTexts, text: string): void {
  try {
    longTexts.add(parseObject(text));
  } catch (error) {
    refusalReason(error);
  }
}

async function ownerIn(archive: Archive): Promise<string> {
  for await (const { account } of headers(archive, xFiles.account)) {
    if (isObject(account) && typeof account.accountId === "string") return account.accountId;
  }
  return "";
}

/** Whether the account is protected, by the last change in its history. */
async function isProtectedIn(archive: Archive): Promise<boolean> {
  let [last, action] = ["", ""];
  for await (const { protectedHistory: change } of headers(archive, xFiles.protection)) {
    if (!isObject(change) || textOrNone(change.protectedAt) < last) continue;
    [last, action] = [textOrNone(change.protectedAt), textOrNone(change.action)];
  }
  return /^protect/i.test(action);
}

/** The elements of a file that describes the account. A broken one fails the import of the archive. */
async function* headers(archive: Archive, wanted: (name: string) => boolean): AsyncGenerator<JsonObject> {
  for await (const found of elements(archive, wanted)) {
    for (const { text, place } of found) {
      try {
        yield parseObject(text);
      } catch (error) {
        throw new ArchiveFault(`${place}: ${refusalReason(error)}`);
      }
    }
  }
}

interface PlacedText {
  text: string;
  /** Such as "data/tweets.js[17]". */
  place: string;
}

async function* elements(archive: Archive, wanted: (name: string) => boolean): AsyncGenerator<PlacedText[]> {
  for await (const entry of archive.entries(wanted)) {
    for await (const found of elementsOf(entry, { assigned: true })) {
      yield found.map(({ text, index }) => ({ text, place: `${entry.name}[${index}]` }));
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
