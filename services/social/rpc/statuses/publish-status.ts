import { type PublishStatusRequest, StatusService } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import { failedPrecondition } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { noGeo, unknownUser, unreadableStatus } from "../../domain/errors.ts";
import { parseStatusDraft, type StatusDraft } from "../../domain/status-draft.ts";
import { asserting, authorSubject, type Subject } from "../../domain/subjects.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import type { ProfileRow, StatusRow } from "../../store/rows.ts";
import { statusWithUser } from "../../views/status-with-user.ts";
import type { WriteTransaction } from "../write.ts";
import { writeOnce } from "../write-once.ts";
import { appendStatus } from "./append-status.ts";
import { type AnsweredStatus, getAnsweredStatus } from "./get-answered-status.ts";
import { withEntities } from "./with-entities.ts";

/** Appends a status to its author's timeline. */
export function publishStatus(ctx: SocialContext, request: PublishStatusRequest) {
  const draft = parseStatusDraft(request, ctx.config.statusLength);
  const answer = (row: ProfileRow & StatusRow, others: readonly Subject[] = []) =>
    asserting([authorSubject(row), ...others], { status: statusWithUser(row) });
  const plain = draft.inReplyTo ? undefined : { status: () => withEntities(ctx.pool, draft), answer };
  const work = async (tx: WriteTransaction) => {
    const inReplyTo = draft.inReplyTo && (await getAnsweredStatus(tx, draft.inReplyTo, draft.authorId, refusals));
    return answer(await publish(tx, draft, inReplyTo), inReplyTo?.subjects);
  };
  return writeOnce(ctx, StatusService.method.publishStatus, request, draft.authorId, [], work, plain);
}

async function publish(tx: WriteTransaction, draft: StatusDraft, inReplyTo: AnsweredStatus | undefined) {
  const row = await appendStatus(tx.db, { ...draft, repostOf: undefined, truncated: false, inReplyTo });
  if (row !== undefined) return row;
  await tx.subjectsOf([draft.authorId]);
  const [author] = await listProfiles(tx.db, [draft.authorId], []);
  if (author === undefined) throw unknownUser();
  throw failedPrecondition(noGeo);
}

const refusals = {
  unknown: () => failedPrecondition("The status to reply to does not exist."),
  unreadable: unreadableStatus,
};
