import { type PublishStatusRequest, StatusService } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import { failedPrecondition } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { composeEntities } from "../../domain/compose-entities.ts";
import { findEntities } from "../../domain/entities/find-entities.ts";
import { unknownUser } from "../../domain/errors.ts";
import { parseStatusDraft, type StatusDraft } from "../../domain/status-draft.ts";
import { asserting, authorSubject } from "../../domain/subjects.ts";
import { listMentionable } from "../../store/profiles/list-mentionable.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import { findStatus, type StatusKey } from "../../store/statuses/find-status.ts";
import { insertStatus } from "../../store/statuses/insert-status.ts";
import { statusView } from "../../views/status.ts";
import { userSummary } from "../../views/user-summary.ts";
import type { Write } from "../write.ts";
import { writeOnce } from "../write-once.ts";
import { checkReadable } from "./with-status.ts";

/** Appends a status to its author's timeline. */
export function publishStatus(ctx: SocialContext, request: PublishStatusRequest) {
  const draft = parseStatusDraft(request, ctx.config.statusLength);
  return writeOnce(ctx, StatusService.method.publishStatus, request, draft.authorId, [], async (write) => {
    const row = await publish(write, draft);
    const status = statusView(row);
    status.user = userSummary(row);
    return asserting([authorSubject(row)], { status });
  });
}

// The author's row is locked last and held shortly: everything that can be read before is.
async function publish(write: Write, draft: StatusDraft) {
  const { db } = write;
  const inReplyTo = draft.inReplyTo && (await getReplyTarget(write, draft.inReplyTo, draft.authorId));
  const found = findEntities(draft.text);
  const users = await listMentionable(
    db,
    found.mentions.map((mention) => mention.screenName),
  );
  const entities = composeEntities(draft.text, found, users, draft.media);
  return appendStatus(write, { ...draft, repostOf: undefined, truncated: false, inReplyTo, entities });
}

async function getReplyTarget({ db, subjectsOf }: Write, key: StatusKey, userId: bigint) {
  const target = await findStatus(db, key);
  if (target === undefined || target.protected) await subjectsOf([key.authorId]);
  if (target === undefined) throw failedPrecondition("The status to reply to does not exist.");
  await checkReadable(db, target, userId);
  return { ...key, screenName: target.screen_name };
}

async function appendStatus({ db, subjectsOf }: Write, status: Parameters<typeof insertStatus>[1]) {
  const row = await insertStatus(db, status);
  if (row !== undefined) return row;
  await subjectsOf([status.authorId]);
  const [author] = await listProfiles(db, [status.authorId], []);
  if (author === undefined) throw unknownUser();
  throw failedPrecondition("The author's profile does not allow places on statuses.");
}
