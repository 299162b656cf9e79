import { create } from "@bufbuild/protobuf";
import {
  type SocialTimelinesRequest,
  SocialTimelinesResponseSchema,
} from "../../../../proto/gen/social/v1/social_service_pb.ts";
import { isScreenName, nameKey } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { checkReadable } from "../../domain/check-readable.ts";
import { unknownScreenName, unreadable } from "../../domain/errors.ts";
import { parseTimelinePage, type TimelinePage } from "../../domain/timeline-page.ts";
import { listNameHolders } from "../../store/profiles/list-name-holders.ts";
import { loadTimeline, type Timeline } from "../../store/statuses/load-timeline.ts";
import { freshnessToken } from "../../views/freshness-token.ts";
import { statusView } from "../../views/status.ts";
import { userSummary } from "../../views/user-summary.ts";
import { findByNames } from "../find-by-names.ts";
import { tellViewerState } from "./tell-viewer-state.ts";

/**
 * One page of a user's statuses, newest first, with their author once (contract §8).
 * @param header of the reply
 */
export async function socialTimelines(
  ctx: SocialContext,
  request: SocialTimelinesRequest,
  viewer: bigint | undefined,
  header = new Headers(),
) {
  const page = parseTimelinePage(request);
  const timeline = isScreenName(request.screenName)
    ? await findTimeline(ctx, nameKey(request.screenName), page, viewer)
    : undefined;
  if (timeline === undefined) throw unknownScreenName();
  checkReadable(timeline.author, viewer, protectedTimeline);
  tellViewerState(header, viewer, [timeline.author], timeline.related);
  return create(SocialTimelinesResponseSchema, {
    results: timeline.statuses.map(statusView),
    author: userSummary(timeline.author, viewer === undefined ? undefined : timeline.author),
    freshness: freshnessToken(timeline.author),
  });
}

function protectedTimeline(viewer: bigint | undefined) {
  return unreadable(viewer, "The timeline of a protected user is for approved followers.");
}

async function findTimeline(ctx: SocialContext, name: string, page: TimelinePage, viewer: bigint | undefined) {
  const found = await findByNames<Timeline>(
    ctx,
    [name],
    async (_, [userId = 0n]) => {
      const timeline = await loadTimeline(ctx.pool, { nameKey: name, userId }, page, viewer);
      return new Map(timeline && [[name, timeline]]);
    },
    (names) => listNameHolders(ctx.pool, names),
  );
  return found.get(name);
}
