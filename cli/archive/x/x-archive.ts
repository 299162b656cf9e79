import { isObject, type JsonObject, textOrNone } from "../../import/json/json.ts";
import { refusalReason } from "../../import/refusal.ts";
import { createdAtOf } from "../../import/twitter/created-at.ts";
import type { Archive } from "../archive.ts";
import { elementsOf } from "../elements-of.ts";
import { ArchiveFault } from "../fault.ts";
import type { Found, OwnArchive } from "../found.ts";
import { parseElement } from "../parse-element.ts";
import { countMessages } from "./count-messages.ts";
import { xFiles } from "./files.ts";
import { lengthen } from "./lengthen.ts";
import { LongTexts } from "./long-texts.ts";
import { type Owner, parseTweet, tweetIn } from "./parse-tweet.ts";

/**
 * An archive as X hands it out. Its ids are Twitter's, so that what came from elsewhere is known again. Tweets to a
 * circle were for some followers, and those of an account that is protected for all of them only.
 */
export function xArchive(name: string, archive: Archive): OwnArchive {
  return {
    name,
    origin: "twitter",
    async *read(screenName) {
      const originId = await ownerIn(archive);
      yield { kind: "owner", originId };
      const isProtected = await isProtectedIn(archive);
      const longTexts = new LongTexts();
      try {
        for await (const element of elements(archive, xFiles.notes)) keepQuietly(longTexts, element.text);
        for await (const element of elements(archive, xFiles.tweets)) {
          if (isProtected) yield { kind: "left out", why: "followers-only", count: 1 };
          else yield foundIn(element, { originId, screenName }, longTexts);
        }
        yield { kind: "left out", why: "long texts without a post", count: isProtected ? 0 : longTexts.size };
      } finally {
        longTexts.close();
      }
      for await (const _ of elements(archive, xFiles.circle))
        yield { kind: "left out", why: "followers-only", count: 1 };
      for await (const entry of archive.entries(xFiles.messages)) {
        yield { kind: "left out", why: "direct", count: await countMessages(entry.read()) };
      }
    },
    close: () => archive.close(),
  };
}

function foundIn({ text, place }: Element, owner: Owner, longTexts: LongTexts): Found {
  try {
    const tweet = tweetIn(parseElement(text));
    const { id, message } = parseTweet(tweet, owner);
    const core = longTexts.size > 0 && longTexts.take(createdAtOf(tweet).ms, message.status?.text ?? "");
    const status = core ? parseTweet(lengthen(tweet, core), owner).message : message;
    return { kind: "status", status, order: BigInt(id) };
  } catch (error) {
    return { kind: "refused", place, reason: refusalReason(error) };
  }
}

function keepQuietly(longTexts: LongTexts, text: string): void {
  try {
    longTexts.add(parseElement(text));
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

/** What the owner last did about it, if anything. */
async function isProtectedIn(archive: Archive): Promise<boolean> {
  let [last, action] = ["", ""];
  for await (const { protectedHistory: change } of headers(archive, xFiles.protection)) {
    if (!isObject(change) || textOrNone(change.protectedAt) < last) continue;
    [last, action] = [textOrNone(change.protectedAt), textOrNone(change.action)];
  }
  return /^protect/i.test(action);
}

/** The elements of a file without which the archive cannot be understood. */
async function* headers(archive: Archive, wanted: (name: string) => boolean): AsyncGenerator<JsonObject> {
  for await (const { text, place } of elements(archive, wanted)) {
    try {
      yield parseElement(text);
    } catch (error) {
      throw new ArchiveFault(`${place}: ${refusalReason(error)}`);
    }
  }
}

interface Element {
  text: string;
  /** Such as "data/tweets.js[17]". */
  place: string;
}

async function* elements(archive: Archive, wanted: (name: string) => boolean): AsyncGenerator<Element> {
  for await (const entry of archive.entries(wanted)) {
    let index = 0;
    for await (const text of elementsOf(entry, { assigned: true })) {
      yield { text, place: `${entry.name}[${index++}]` };
    }
  }
}
