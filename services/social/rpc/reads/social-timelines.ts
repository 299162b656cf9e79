import { create, fromBinary } from "@bufbuild/protobuf";
import {
  type SocialTimelinesRequest,
  SocialTimelinesResponseSchema,
} from "../../../../proto/gen/social/v1/social_service_pb.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { isScreenName, nameKey } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { checkReadable } from "../../domain/check-readable.ts";
import { unknownScreenName } from "../../domain/errors.ts";
import { parseTimelinePage, type TimelinePage } from "../../domain/timeline-page.ts";
import { noRelation } from "../../store/graph/load-relations.ts";
import { listNameHolders } from "../../store/profiles/list-name-holders.ts";
import { statusFields, summaryFields } from "../../store/sent-fields.ts";
import { loadPublicTimeline, type PublicTimeline } from "../../store/statuses/load-public-timeline.ts";
import { loadTimeline } from "../../store/statuses/load-timeline.ts";
import { compilePublicTimeline } from "../../views/public-timeline.ts";
import { statusView } from "../../views/status.ts";
import { userSummary } from "../../views/user-summary.ts";
import { versionOf } from "../../views/version.ts";
import { findByNames } from "../find-by-names.ts";
import { setViewerVersion } from "./set-viewer-version.ts";

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
  if (viewer === undefined) return fromBinary(SocialTimelinesResponseSchema, await encodedTimeline(ctx, request));
  const timeline = await findTimeline(ctx, request, (...of) => loadTimeline(...of, viewer));
  checkReadable(timeline.author, viewer, protectedTimeline);
  setViewerVersion(header, viewer, [timeline.author], timeline.related);
  return create(SocialTimelinesResponseSchema, {
    results: timeline.statuses.map(statusView),
    author: userSummary(timeline.author, timeline.author),
    version: versionOf(timeline.author),
  });
}

/** The same for anonymous callers: SocialTimelinesResponse, encoded. Rejects with the same errors. */
export async function encodedTimeline(ctx: SocialContext, request: SocialTimelinesRequest): Promise<Uint8Array> {
  return encodePublic(await findTimeline(ctx, request, loadPublicTimeline));
}

/** @throws PermissionDenied or Unauthenticated where anonymous callers may not read the timeline */
export function encodePublic(timeline: PublicTimeline): Uint8Array {
  checkReadable({ ...timeline, ...noRelation }, undefined, protectedTimeline);
  return publicTimeline(timeline);
}

const publicTimeline = compilePublicTimeline(summaryFields, statusFields);

const protectedTimeline = "The timeline of a protected user is for approved followers.";

/** @throws InvalidArgument, and NotFound for what is no screen name */
export function parseTimeline(request: SocialTimelinesRequest): { nameKey: string; page: TimelinePage } {
  const page = parseTimelinePage(request);
  if (!isScreenName(request.screenName)) throw unknownScreenName();
  return { nameKey: nameKey(request.screenName), page };
}

async function findTimeline<Timeline>(
  ctx: SocialContext,
  request: SocialTimelinesRequest,
  load: (db: Db, of: { nameKey: string; userId: bigint }, page: TimelinePage) => Promise<Timeline | undefined>,
): Promise<Timeline> {
  const { nameKey: name, page } = parseTimeline(request);
  const found = await findByNames<Timeline>(
    ctx,
    [name],
    async (_, [userId = 0n]) => {
      const timeline = await load(ctx.pool, { nameKey: name, userId }, page);
      return new Map(timeline && [[name, timeline]]);
    },
    (names) => listNameHolders(ctx.pool, names),
  );
  const timeline = found.get(name);
  if (timeline === undefined) throw unknownScreenName();
  return timeline;
}
