import { type RepostRequest, StatusService } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import { failedPrecondition } from "../../../platform/errors.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import type { SocialContext } from "../../context.ts";
import { composeEntities } from "../../domain/compose-entities.ts";
import { findEntities } from "../../domain/entities/find-entities.ts";
import { repostText } from "../../domain/repost-text.ts";
import { asserting, authorSubject } from "../../domain/subjects.ts";
import { listMentionable } from "../../store/profiles/list-mentionable.ts";
import { type FoundStatus, findStatus, type StatusKey } from "../../store/statuses/find-status.ts";
import { insertStatus } from "../../store/statuses/insert-status.ts";
import { countRepost, findRepost } from "../../store/statuses/reposts.ts";
import { statusView } from "../../views/status.ts";
import { userSummary } from "../../views/user-summary.ts";
import { writeOnce } from "../write-once.ts";
import { authorOf, withReadableStatus } from "./with-status.ts";

/** Publishes another user's status again on a user's own timeline, once. A protected user's status is not for the public. */
export function repost(ctx: SocialContext, request: RepostRequest) {
  const { userId } = request;
  return writeOnce(ctx, StatusService.method.repost, request, userId, authorOf(request), async (write) => {
    const { db, key, user, status: original } = await withReadableStatus(write, request);
    if (original.protected) throw failedPrecondition("The statuses of a protected user cannot be reposted.");
    const held = await findRepost(db, userId, key);
    const row = held
      ? await findStatus(db, { authorId: userId, id: held })
      : await appendRepost(db, userId, key, original, ctx.config.statusLength);
    if (row === undefined) throw new Error("a repost without a row, though its author's row is locked");
    const status = statusView({ ...row, retweeted: true });
    status.user = userSummary(row);
    return asserting([authorSubject(user)], { status });
  });
}

async function appendRepost(db: Db, userId: bigint, key: StatusKey, original: FoundStatus, maxWeight: number) {
  await countRepost(db, key);
  const { text, truncated } = repostText(original.screen_name, original.text, maxWeight);
  const found = findEntities(text);
  const users = await listMentionable(
    db,
    found.mentions.map((mention) => mention.screenName),
  );
  return insertStatus(db, {
    authorId: userId,
    text,
    truncated,
    source: "Roost",
    lang: original.status_lang,
    repostOf: key,
    entities: composeEntities(text, found, users, []),
    inReplyTo: undefined,
    point: undefined,
  });
}
