import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { ReportUserRequest } from "../../../../proto/gen/social/people/v1/relations_pb.ts";
import type { SocialContext } from "../../context.ts";
import { unknownStatus } from "../../domain/errors.ts";
import { upsertReport } from "../../store/moderation/reports.ts";
import { findStatus } from "../../store/statuses/find-status.ts";
import { writeAboutUser } from "./write-about-user.ts";

/** Reports a user or one of their statuses to the operator, whether the reporter may read it or not. */
export function reportUser(ctx: SocialContext, request: ReportUserRequest) {
  const { userId: reporterId, statusId, reason } = request;
  return writeAboutUser(ctx, PeopleService.method.reportUser, request, async (db, { user }) => {
    if (statusId !== undefined) {
      const status = await findStatus(db, { authorId: user.user_id, id: statusId });
      if (status === undefined) throw unknownStatus();
    }
    await upsertReport(db, { reporterId, userId: user.user_id, statusId: statusId ?? 0n, reason });
    return {};
  });
}
