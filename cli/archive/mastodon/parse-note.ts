import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { ImportedStatusSchema } from "../../../proto/gen/social/v1/import_service_pb.ts";
import { contractDate } from "../../../services/platform/contract-date.ts";
import { filledTextOf, requiredTextOf, textOf } from "../../import/twitter/fields.ts";
import { isList, isObject, type JsonObject } from "../../json/json.ts";
import { Refusal } from "../../refusal.ts";
import type { ArchiveItem } from "../user-archive.ts";
import { mediaIn } from "./attachments.ts";
import { type Mention, mentionsIn, originIdOf } from "./mentions.ts";
import { noteText } from "./note-text.ts";

/**
 * Parses a public note, whatever author it names. A note of files alone is left out, since files are not imported.
 * @throws Refusal naming the first field that is missing or wrong.
 */
export function parseNote(note: JsonObject, actor: string, screenName: string): ArchiveItem {
  const id = requiredTextOf(note, "id");
  const published = publishedOf(note);
  const mentions = mentionsIn(note);
  const { text, entities } = noteText(
    textOf(note, "summary") ?? "",
    textOf(note, "content") ?? "",
    choicesIn(note),
    mentions,
  );
  entities.media = mediaIn(note, [...text].length);
  if (text === "" && entities.media.length === 0) return { kind: "left out", why: "media only", count: 1 };
  const status = create(ImportedStatusSchema, {
    originId: originIdOf(id) || `sha256:${createHash("sha256").update(id).digest("hex")}`,
    status: { text, entities, source: "Mastodon", createdAt: contractDate(published) },
  });
  const target = filledTextOf(note, "inReplyTo");
  if (target !== undefined && status.status) {
    status.inReplyToStatusOriginId = originIdOf(target);
    const answered = answeredBy(target, actor, mentions, screenName);
    status.inReplyToUserOriginId = answered?.originId ?? "";
    status.status.inReplyToScreenName = answered?.name;
  }
  return { kind: "status", status, order: orderOf(id, published) };
}

/** `published` has whole seconds, and Mastodon's ids are the milliseconds above 16 bits: they order the notes of one second. */
function orderOf(id: string, published: Date): bigint {
  const order = BigInt(Math.max(published.getTime(), 0)) << idBits;
  const number = BigInt(/\/(\d{1,19})$/.exec(id)?.[1] ?? 0);
  return (number >> idBits) / 1_000n === (order >> idBits) / 1_000n ? number : order;
}

const idBits = 16n;

/** The author of the status that is answered: its URL begins with the author's. */
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
  return [oneOf, anyOf]
    .flatMap((list) => (isList(list) ? list : []))
    .filter(isObject)
    .flatMap((choice) => filledTextOf(choice, "name") ?? []);
}
