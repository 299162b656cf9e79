import { JsonFault } from "../import/json/fault.ts";
import { isObject } from "../import/json/json.ts";
import { Refusal, refusalReason } from "../import/refusal.ts";
import type { ImportSource, Item } from "../import/source.ts";
import { parseStatus } from "../import/twitter/parse-status.ts";
import { sightingsIn } from "../import/twitter/sightings.ts";
import { ArchiveFault } from "./fault.ts";
import type { Found, OwnArchive } from "./found.ts";

/**
 * A file of API v1.1, such as our own export, as somebody's own posts: its statuses, whoever they name, and nothing that
 * they embed. Those of a protected user were for followers.
 */
export function ownStatuses(source: ImportSource): OwnArchive {
  return {
    name: source.name,
    origin: "twitter",
    async *read(screenName) {
      try {
        for await (const item of source.items()) yield* foundIn(item, screenName);
      } catch (error) {
        if (error instanceof JsonFault)
          throw new ArchiveFault(`${error.path} ${error.reason}`.trim(), { cause: error });
        throw error;
      }
    },
    close() {},
  };
}

function* foundIn(item: Item, screenName: string): Generator<Found> {
  try {
    const [top] = sightingsIn(item);
    if (top.kind !== "status" || !isObject(top.value)) throw new Refusal("it is no status");
    const { user } = top.value;
    if (isObject(user) && user.protected === true) return yield { kind: "left out", why: "followers-only", count: 1 };
    const { id, author, message } = parseStatus(top.value, isObject(user) ? user : nobody);
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

// A status has to name somebody to be read; nobody looks at it here.
const nobody = { id_str: "1" };
