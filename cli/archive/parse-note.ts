import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { type Media, MediaSchema } from "../../proto/gen/social/v1/entities_pb.ts";
import { ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { contractDate } from "../../services/platform/contract-date.ts";
import { isOriginId } from "../../services/platform/rules/ids.ts";
import { Refusal } from "../errors.ts";
import { filledTextOf, requiredTextOf } from "../import/twitter/fields.ts";
import { isList, isObject, type Json, type JsonObject, textOrNone } from "../json/json.ts";
import { hostOf, type Mention, noteText } from "./note-text.ts";
import type { ArchiveItem } from "./user-archive.ts";

/**
 * Parses a public note, whatever author it names. A note of files alone is left out, since files are not imported.
 * @throws Refusal naming the first field that is missing or wrong.
 */
export function parseNote(note: JsonObject, actor: string, screenName: string): ArchiveItem {
  const id = requiredTextOf(note, "id");
  const published = publishedOf(note);
  const mentions = mentionsIn(note);
  const { text, entities } = noteText(textIn(note, "summary"), textIn(note, "content"), choicesIn(note), mentions);
  entities.media = mediaIn(note, [...text].length);
  if (text === "" && entities.media.length === 0) {
    return { kind: "left out", why: listIn(note.attachment).length > 0 ? "media only" : "without text", count: 1 };
  }
  const status = create(ImportedStatusSchema, {
    originId: originIdOf(id),
    status: { text, entities, source: "Mastodon", createdAt: contractDate(published) },
  });
  const [target] = idsIn(note.inReplyTo);
  if (target !== undefined && status.status) {
    status.inReplyToStatusOriginId = originIdOf(target);
    const answered = answeredBy(target, actor, mentions, screenName);
    status.inReplyToUserOriginId = answered?.originId ?? "";
    status.status.inReplyToScreenName = answered?.name;
  }
  return { kind: "status", status, order: orderOf(id, published), versions: [], defaulted: [] };
}

/** The ids that a value names: objects stand for theirs, null for none, and one is a list of one (JSON-LD). */
export function idsIn(value: Json | undefined): string[] {
  return listIn(value).flatMap((item) => {
    const id = isObject(item) ? (item.id ?? item.href) : item;
    return typeof id === "string" && id !== "" ? [id] : [];
  });
}

function listIn(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value : [value];
}

/** A text, or the first one of its map of languages. */
function textIn(note: JsonObject, name: string): string {
  const map = note[`${name}Map`];
  const mapped = isObject(map) ? Object.values(map).find((text) => typeof text === "string") : undefined;
  return filledTextOf(note, name) ?? textOrNone(mapped);
}

/** A URL as an id at the origin: its digest where it cannot be one. */
function originIdOf(url: string): string {
  return isOriginId(url) ? url : `sha256:${createHash("sha256").update(url).digest("hex")}`;
}

/** `published` has whole seconds, and Mastodon's ids are the milliseconds above 16 bits: they order the notes of one second. */
function orderOf(id: string, published: Date): bigint {
  const order = BigInt(Math.max(published.getTime(), 0)) << idBits;
  const number = BigInt(/\/(\d{1,19})$/.exec(id)?.[1] ?? 0);
  return (number >> idBits) / 1_000n === (order >> idBits) / 1_000n ? number : order;
}

const idBits = 16n;

/**
 * The author of a status of another archive that is answered, where its URL begins with the author's. What is in this one is found by its
 * id (as-user/import-archive.ts).
 */
function answeredBy(target: string, actor: string, mentions: readonly Mention[], screenName: string) {
  const isBelow = (originId: string) => originId !== "" && target.startsWith(`${originId}/`);
  if (isBelow(actor)) return { originId: actor, name: screenName };
  const mention = mentions.find(({ originId }) => isBelow(originId));
  return mention && { originId: mention.originId, name: mention.address };
}

function publishedOf(note: JsonObject): Date {
  const text = requiredTextOf(note, "published");
  const date = new Date(text);
  if (!isoDate.test(text) || Number.isNaN(date.getTime()) || !isDay(text.slice(0, 10))) {
    throw new Refusal("published is not a date");
  }
  return date;
}

/** Whether there is such a day: JavaScript reads February 30 as March 2. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function choicesIn({ oneOf, anyOf }: JsonObject): string[] {
  return [...listIn(oneOf), ...listIn(anyOf)].filter(isObject).flatMap((choice) => textOrNone(choice.name) || []);
}

/**
 * The media of a note that have a web address. Most archives refer to files inside themselves, which clients cannot load.
 * @param end length of the text in code points: media are placed there, since the text has no link to them.
 */
function mediaIn({ attachment }: JsonObject, end: number): Media[] {
  return listIn(attachment)
    .filter(isObject)
    .flatMap(({ url: links, mediaType, width, height }) => {
      const [url] = idsIn(links);
      if (url === undefined || !/^https?:\/\/[^\s/]/i.test(url) || /\s/.test(url)) return [];
      const [w, h] = [pixels(width), pixels(height)];
      return create(MediaSchema, {
        mediaUrl: url,
        mediaUrlHttps: /^https:/i.test(url) ? url : "",
        url,
        displayUrl: url.replace(/^https?:\/\//i, ""),
        expandedUrl: url,
        type: textOrNone(mediaType).startsWith("video/") ? "video" : "photo",
        sizes: w && h ? { large: { w, h, resize: "fit" } } : {},
        indices: [end, end],
      });
    });
}

function pixels(value: Json | undefined): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : 0;
}

/** The mentions among the tags of a note, a thousand at most: each link is compared with all of them. */
function mentionsIn({ tag }: JsonObject): Mention[] {
  const mentions = listIn(tag)
    .filter(isObject)
    .flatMap(({ type, href, name }) => {
      const host = hostOf(href);
      const [user = "", server = host] = textOrNone(name).replace(/^@/, "").split("@");
      if (type !== "Mention" || host === undefined || server === undefined || user === "") return [];
      const originId = isOriginId(textOrNone(href)) ? textOrNone(href) : "";
      const hosts = [server.toLowerCase(), hostOf(originId)];
      return [{ address: `${user}@${server}`, originId, user: user.toLowerCase(), hosts }];
    });
  return mentions.slice(0, 1_000);
}
