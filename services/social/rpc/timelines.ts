import { create } from "@bufbuild/protobuf";
import {
  type SocialTimelinesRequest,
  SocialTimelinesResponseSchema,
} from "../../../proto/gen/social/v1/social_service_pb.ts";
import { isScreenName, nameKey } from "../../platform/rules/screen-name.ts";
import type { SocialContext } from "../context.ts";
import { checkReadable } from "../domain/can-read.ts";
import { unknownScreenName } from "../domain/errors.ts";
import { parseTimelinePage } from "../domain/timeline-page.ts";
import { listNameHolders } from "../store/profiles/name-holders.ts";
import { loadTimeline, type Timeline } from "../store/statuses/load-timeline.ts";
import { statusView } from "../views/status.ts";
import { userSummary } from "../views/user-summary.ts";
import { versionOf } from "../views/version.ts";
import { findByNames } from "./find-users.ts";
import { setViewerState, viewerStateOf } from "./viewer-reads.ts";

/**
 * One page of a user's statuses, newest first, with their author once (contract §8).
 * @param header of the reply
 */
export async function socialTimelines(
  ctx: SocialContext,
  request: SocialTimelinesRequest,
  viewer: bigint | undefined,
  header: Headers,
) {
  const { author, statuses, related } = await findTimeline(ctx, request, viewer);
  checkReadable(author, viewer, protectedTimeline);
  setViewerState(header, viewerStateOf(viewer, [author], related));
  return create(SocialTimelinesResponseSchema, {
    results: statuses.map(statusView),
    author: userSummary(author, viewer === undefined ? undefined : author),
    version: versionOf(author),
  });
}

export const protectedTimeline = "The timeline of a protected user is for approved followers.";

/** @throws InvalidArgument, and NotFound for an unknown name */
async function findTimeline(
  ctx: SocialContext,
  request: SocialTimelinesRequest,
  viewer: bigint | undefined,
): Promise<Timeline> {
  const page = parseTimelinePage(request);
  if (!isScreenName(request.screenName)) throw unknownScreenName();
  const name = nameKey(request.screenName);
  const found = await findByNames<Timeline>(
    ctx,
    [name],
    async (_, [userId = 0n]) => {
      const timeline = await loadTimeline(ctx.pool, { nameKey: name, userId }, page, viewer);
      return new Map(timeline && [[name, timeline]]);
    },
    (names) => listNameHolders(ctx.pool, names),
  );
  const timeline = found.get(name);
  if (timeline === undefined) throw unknownScreenName();
  return timeline;
}
