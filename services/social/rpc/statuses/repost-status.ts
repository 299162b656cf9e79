import type { Db } from "../../../platform/postgres/pool.ts";
import { repostText } from "../../domain/repost-text.ts";
import type { FoundStatus, StatusKey } from "../../store/statuses/find-status.ts";
import { countRepost, findRepost } from "../../store/statuses/reposts.ts";
import { appendStatus } from "./append-status.ts";

/**
 * Reposts a status on a user's timeline, once; the rows of the user and of the status's author are locked.
 * @param maxWeight how many weighted characters the repost's text may have
 */
export async function repostStatus(
  db: Db,
  userId: bigint,
  key: StatusKey,
  original: FoundStatus,
  maxWeight: number,
): Promise<void> {
  if ((await findRepost(db, userId, key)) !== undefined) return;
  await countRepost(db, key);
  await appendStatus(db, {
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
