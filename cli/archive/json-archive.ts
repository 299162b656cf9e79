import type { ImportSource, Item } from "../import/source.ts";
import { recordsIn } from "../import/twitter/embedded-records.ts";
import { parseStatus } from "../import/twitter/parse-status.ts";
import { isObject } from "../json/json.ts";
import { JsonFault } from "../json/read-elements.ts";
import { Refusal, refusalReason } from "../refusal.ts";
import { ArchiveFault } from "./archive.ts";
import type { ArchiveItem, UserArchive } from "./user-archive.ts";

/**
 * A file of API v1.1, such as our own export, as one user's archive. Its statuses are taken whatever author they name, embedded
 * ones are not. Statuses of a protected user are left out: they were for followers.
 */
export function jsonArchive(source: ImportSource): UserArchive {
  return {
    name: source.name,
    origin: "twitter",
    async *read(screenName) {
      try {
        for await (const items of source.items()) yield items.flatMap((item) => [...itemsIn(item, screenName)]);
      } catch (error) {
        if (error instanceof JsonFault)
          throw new ArchiveFault(`${error.path} ${error.reason}`.trim(), { cause: error });
        throw error;
      }
    },
    progress: () => source.progress?.(),
    close() {},
  };
}

function* itemsIn(item: Item, screenName: string): Generator<ArchiveItem> {
  try {
    const [top] = recordsIn(item);
    // The export of a user without statuses.
    if (top.kind === "user") return;
    if (top.kind !== "status" || !isObject(top.value)) throw new Refusal("it is no status");
    const { user } = top.value;
    if (isObject(user) && user.protected === true) return yield { kind: "left out", why: "followers-only", count: 1 };
    const { id, author, message } = parseStatus(top.value, isObject(user) ? user : placeholder);
    if (isObject(user)) yield { kind: "owner", originId: author };
    if (BigInt(id) >= 2n ** 64n) throw new Refusal("id is not an id");
    if (message.status && isObject(user) && message.inReplyToUserOriginId === author) {
      message.status.inReplyToScreenName = screenName;
    }
    yield { kind: "status", status: message, order: BigInt(id) };
  } catch (error) {
    yield { kind: "refused", place: item.path, reason: refusalReason(error) };
  }
}

// parseStatus requires an author; the result is not used.
const placeholder = { id_str: "1" };
