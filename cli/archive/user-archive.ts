import type { ImportedStatus } from "../../proto/gen/social/v1/import_service_pb.ts";
import { Refusal, refusalReason } from "../errors.ts";
import { recordsIn } from "../import/twitter/embedded-records.ts";
import { decorationOf, referenceOf } from "../import/twitter/fields.ts";
import { parseStatus } from "../import/twitter/parse-status.ts";
import { isProtected } from "../import/twitter/parse-user.ts";
import { isObject, type JsonObject } from "../json/json.ts";
import { parseElement } from "../json/read-elements.ts";
import { type Archive, elementsOf } from "./archive.ts";

/** One item of an archive. */
export type ArchiveItem =
  /** A status without its author's id here. */
  | {
      kind: "status";
      status: ImportedStatus;
      /** The smaller, 0 to 2^64-1, the older the status. */
      order: bigint;
      /** The ids of all versions of an edited status; empty for others. */
      versions: readonly string[];
      /** The fields that broke a rule and got their default instead. */
      defaulted: readonly string[];
    }
  /** Posts that are not imported. */
  | { kind: "left out"; why: LeftOut; count: number }
  /** A post that is broken. */
  | { kind: "refused"; place: string; reason: string }
  /** The owner's id at the origin. */
  | { kind: "owner"; originId: string };

/** Why a post is not imported. */
export type LeftOut = (typeof reasonsToLeaveOut)[number];

/** In the order in which they are reported. */
export const reasonsToLeaveOut = [
  "direct",
  "followers-only",
  "boosts",
  "media only",
  "without text",
  "earlier versions",
  "long texts without a post",
] as const;

/** An archive of one person's posts. */
export interface UserArchive {
  /** Its name in reports, such as the file's name. */
  name: string;
  /** The system that gave its ids. */
  origin: string;
  /**
   * Reads it from its start, in lists of some items. `screenName` is the owner's name here.
   * @throws ArchiveFault when it is broken: then nothing of it is to be imported.
   */
  read(screenName: string): AsyncGenerator<readonly ArchiveItem[]>;
  /** How much of it has been read, 0 to 1; undefined when that is not known. */
  progress(): number | undefined;
  close(): void;
}

/** The owner of an archive: the id at X, "" when the archive does not say, and the name here. */
export interface Owner {
  originId: string;
  screenName: string;
}

/** A tweet that was for followers only. */
export const forFollowers: ArchiveItem = { kind: "left out", why: "followers-only", count: 1 };

/**
 * A status in any form of Twitter's, whatever author it names; one that names a protected author was for followers only.
 * @throws Refusal naming the first field that is missing or wrong.
 */
export function postItem(value: JsonObject, { originId, screenName }: Owner): ArchiveItem {
  const { user } = value;
  if (isObject(user) && isProtected(user)) return forFollowers;
  const { id, message, versions, defaulted } = parseStatus(value, placeholder);
  if (BigInt(id) >= 2n ** 64n) throw new Refusal("id is not an id");
  if (message.status && originId !== "" && message.inReplyToUserOriginId === originId) {
    message.status.inReplyToScreenName = screenName;
  }
  return { kind: "status", status: message, order: BigInt(id), versions, defaulted };
}

// parseStatus requires an author; the result is not used.
const placeholder = { id_str: "1" };

/** The tweet in an element of X's archives; the older ones have no wrapper. */
export function unwrapped(element: JsonObject): JsonObject {
  return isObject(element.tweet) ? element.tweet : element;
}

/** The lists of API v1.1, and of our own replies (`results`, where each item shows by itself what it is). */
export const listsOfV1 = ["statuses", "users", "results"];

/** A file of API v1.1, such as our own export, as one user's archive. Embedded statuses are not taken, only those that they repeat. */
export function jsonArchive(name: string, archive: Archive): UserArchive {
  return {
    name,
    origin: "twitter",
    async *read(screenName) {
      for await (const entry of archive.entries(() => true)) {
        for await (const elements of elementsOf(entry, { names: listsOfV1 })) {
          yield elements.flatMap((element) => {
            try {
              return itemsIn(parseElement(element), screenName);
            } catch (error) {
              return { kind: "refused", place: `[${element.index}]`, reason: refusalReason(error) };
            }
          });
        }
      }
    },
    progress: () => archive.progress(),
    close: () => archive.close(),
  };
}

function itemsIn(value: ReturnType<typeof parseElement>, screenName: string): ArchiveItem[] {
  const status = isObject(value) ? unwrapped(value) : value;
  const [{ kind }] = recordsIn({ path: "", read: () => status });
  // The export of a user without statuses.
  if (kind === "user") return [];
  if (kind !== "status" || !isObject(status)) throw new Refusal("it is no status");
  const { user } = status;
  const originId = isObject(user) ? decorationOf(user).take("id", referenceOf, "") : "";
  const item = postItem(status, { originId, screenName });
  return originId === "" ? [item] : [{ kind: "owner", originId }, item];
}
