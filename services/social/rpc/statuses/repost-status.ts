import type { Db } from "../../../platform/postgres/pool.ts";
import { repostText } from "../../domain/repost-text.ts";
import { type FoundStatus, findStatus, type StatusKey } from "../../store/statuses/find-status.ts";
import { countRepost, findRepost } from "../../store/statuses/reposts.ts";
import { appendStatus } from "./append-status.ts";

/**
 * Reposts a status on a user's timeline, once; the rows of the user and of the status's author are locked.
 * @param maxWeight how many weighted characters the repost's text may have
 */
export async function repostStatus(db: Db, userId: bigint, key: StatusKey, original: FoundStatus, maxWeight: number) {
  const repostId = await findRepost(db, userId, key);
  const row = repostId
    ? await findStatus(db, { authorId: userId, id: repostId })
    : await appendRepost(db, userId, key, original, maxWeight);
  if (row === undefined) throw new Error("a repost without a row, though its author's row is locked");
  return row;
}

async function appendRepost(db: Db, userId: bigint, key: StatusKey, original: FoundStatus, maxWeight: number) {
  await countRepost(db, key);
  return appendStatus(db, {
    ...repostText(original.screen_name, original.text, maxWeight),
    authorId: userId,
    source: "Roost",
    lang: original.status_lang,
    repostOf: key,
    media: [],
    inReplyTo: undefined,
    point: undefined,
  });
}
