import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type ListTimelinesRequest,
  ListTimelinesRequestSchema,
  ListTimelinesResponseSchema,
  type SocialTimelinesRequest,
  SocialTimelinesResponseSchema,
} from "../../../proto/gen/social/v1/social_service_pb.ts";
import { refuseFields } from "../../platform/errors.ts";
import { tooManyEntries } from "../../platform/max-entries.ts";
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
import { readInTurn, setViewerState, viewerStateOf } from "./viewer-reads.ts";

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
  const { timeline, state } = await readPage(ctx, request, viewer);
  setViewerState(header, state);
  return timeline;
}

/** Several pages at once, each for its own caller; a page is left out where its request alone would be refused. */
export async function listTimelines(ctx: SocialContext, request: ListTimelinesRequest, signal: AbortSignal) {
  refuseFields([tooManyEntries(ListTimelinesRequestSchema, request)]);
  const list = async (one: SocialTimelinesRequest, viewerId = 0n) => {
    const viewer = viewerId === 0n ? undefined : viewerId;
    const read = () => readPage(ctx, one, viewer);
    const { timeline, state } = await (viewer === undefined ? read() : readInTurn(ctx, viewer, signal, read));
    return { timeline, viewerVersion: state?.version, shownUsers: state?.shownUsers };
  };
  const pages = request.requests.map((one, index) => list(one, request.viewerIds[index]).catch(ignoreRefusal));
  return create(ListTimelinesResponseSchema, { results: await Promise.all(pages) });
}

function ignoreRefusal(error: unknown) {
  if (error instanceof ConnectError && ofOneRequest.has(error.code)) return {};
  throw error;
}

/** Errors that concern one of the requests and not the others. */
const ofOneRequest: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.Unauthenticated,
  Code.PermissionDenied,
]);

/** Reads one page, with the state of its viewer. */
async function readPage(ctx: SocialContext, request: SocialTimelinesRequest, viewer: bigint | undefined) {
  const { author, statuses, related } = await findTimeline(ctx, request, viewer);
  checkReadable(author, viewer, protectedTimeline);
  const timeline = create(SocialTimelinesResponseSchema, {
    results: statuses.map(statusView),
    author: userSummary(author, viewer === undefined ? undefined : author),
    version: versionOf(author),
  });
  return { timeline, state: viewerStateOf(viewer, [author], related) };
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
