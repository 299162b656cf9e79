import { create } from "@bufbuild/protobuf";
import {
  type SocialTimelinesRequest,
  SocialTimelinesResponseSchema,
} from "../../../proto/gen/social/v1/social_service_pb.ts";
import { notFound, unauthenticated } from "../../platform/errors.ts";
import type { SocialContext } from "../context.ts";
import { parseTimelinePage } from "../domain/timeline-page.ts";
import { loadTimeline } from "../store/load-timeline.ts";
import { statusView } from "../views/status.ts";
import { userSummary } from "../views/user-summary.ts";

/** One page of a user's statuses, newest first, with their author once (contract §8). */
export async function socialTimelines(ctx: SocialContext, request: SocialTimelinesRequest) {
  const page = parseTimelinePage(request);
  const timeline = await loadTimeline(ctx.pool, request.screenName, page);
  if (timeline === undefined) throw notFound("There is no user of that name.");
  if (timeline.author.protected) throw unauthenticated("The timeline of a protected user is for approved followers.");
  return create(SocialTimelinesResponseSchema, {
    results: timeline.statuses.map(statusView),
    author: userSummary(timeline.author),
  });
}
