import { type PublishStatusRequest, StatusService } from "../../../../proto/gen/social/v1/status_service_pb.ts";
import { failedPrecondition } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { noGeo, unknownUser, unreadableStatus } from "../../domain/errors.ts";
import { parseStatusDraft } from "../../domain/status-draft.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import { statusWithUser } from "../../views/status-with-user.ts";
import { publishOnce } from "../write-once.ts";
import { appendStatus } from "./append-status.ts";
import { getAnsweredStatus } from "./get-answered-status.ts";
import { withEntities } from "./with-entities.ts";

/** Appends a status to its author's timeline. */
export function publishStatus(ctx: SocialContext, request: PublishStatusRequest) {
  const draft = parseStatusDraft(request, ctx.config.statusLength);
  return publishOnce(ctx, StatusService.method.publishStatus, request, draft.authorId, {
    plain: draft.inReplyTo ? undefined : () => withEntities(ctx.pool, draft),
    async work(db) {
      const inReplyTo = draft.inReplyTo && (await getAnsweredStatus(db, draft.inReplyTo, draft.authorId, refusals));
      const row = await appendStatus(db, { ...draft, repostOf: undefined, truncated: false, inReplyTo });
      if (row !== undefined) return row;
      const [author] = await listProfiles(db, [draft.authorId], []);
      throw author === undefined ? unknownUser() : failedPrecondition(noGeo);
    },
    answer: (row) => ({ status: statusWithUser(row) }),
  });
}

const refusals = {
  unknown: () => failedPrecondition("The status to reply to does not exist."),
  unreadable: unreadableStatus,
};
