import { create } from "@bufbuild/protobuf";
import { type RepostRequest, RepostResponseSchema } from "../../../proto/gen/social/v1/status_service_pb.ts";
import { failedPrecondition } from "../../platform/errors.ts";
import type { Db } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";
import { composeEntities } from "../domain/compose-entities.ts";
import { findEntities } from "../domain/entities/find-entities.ts";
import { repostText } from "../domain/repost-text.ts";
import { type FoundStatus, findStatus, type StatusKey } from "../store/find-status.ts";
import { insertStatus } from "../store/insert-status.ts";
import { listMentionable } from "../store/list-mentionable.ts";
import { countRepost, findRepost } from "../store/reposts.ts";
import { statusView } from "../views/status.ts";
import { userSummary } from "../views/user-summary.ts";
import { withReadableStatus } from "./with-status.ts";

/** Publishes somebody's status again on a user's own timeline, once. A protected user's status is not for the public. */
export async function repost(ctx: SocialContext, request: RepostRequest) {
  const { userId } = request;
  const row = await withReadableStatus(ctx, request, async (db, key, original) => {
    if (original.protected) throw failedPrecondition("The statuses of a protected user cannot be reposted.");
    const held = await findRepost(db, userId, key);
    if (held !== undefined) return findStatus(db, { authorId: userId, id: held });
    await countRepost(db, key, 1);
    return appendRepost(db, userId, key, original);
  });
  // The user's row is locked, so both ways end in a row.
  if (row === undefined) throw new Error("a repost without a row");
  const status = statusView({ ...row, retweeted: true });
  status.user = userSummary(row);
  return create(RepostResponseSchema, { status });
}

async function appendRepost(db: Db, userId: bigint, key: StatusKey, original: FoundStatus) {
  const { text, truncated } = repostText(original.screen_name, original.text);
  const found = findEntities(text);
  const users = await listMentionable(
    db,
    found.mentions.map((mention) => mention.screenName),
  );
  const none = undefined;
  return insertStatus(db, {
    authorId: userId,
    text,
    truncated,
    source: "Roost",
    repostOf: key,
    entities: composeEntities(text, found, users, []),
    request: none,
    inReplyTo: none,
    point: none,
  });
}
