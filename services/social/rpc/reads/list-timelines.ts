import { fromBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type ListTimelinesRequest,
  ListTimelinesRequestSchema,
  ListTimelinesResponseSchema,
  type SocialTimelinesRequest,
} from "../../../../proto/gen/social/v1/social_service_pb.ts";
import { refuseFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import type { SocialContext } from "../../context.ts";
import type { TimelinePage } from "../../domain/timeline-page.ts";
import { listNameHolders } from "../../store/profiles/list-name-holders.ts";
import type { PublicTimeline } from "../../store/statuses/load-public-timeline.ts";
import { loadPublicTimelines } from "../../store/statuses/load-public-timelines.ts";
import { listedTimelines } from "../../views/public-timeline.ts";
import { findByNames } from "../find-by-names.ts";
import { encodedTimeline, encodePublic, parseTimeline } from "./social-timelines.ts";

/** Several pages at once, for anonymous callers. On a cluster one statement for each, so that each needs the shard of one author only. */
export async function listTimelines(ctx: SocialContext, request: ListTimelinesRequest) {
  refuseFields([tooManyEntries(ListTimelinesRequestSchema, request)]);
  const timelines = (await ctx.isCluster())
    ? await Promise.all(request.requests.map((request) => encodedTimeline(ctx, request).catch(ignoreRefusal)))
    : await loadTogether(ctx, request.requests);
  return fromBinary(ListTimelinesResponseSchema, listedTimelines(timelines));
}

async function loadTogether(ctx: SocialContext, requests: readonly SocialTimelinesRequest[]) {
  const asked = requests.map((request) => orNothing(() => parseTimeline(request)));
  const timelines = await findTimelines(
    ctx,
    asked.filter((one) => one !== undefined),
  );
  const inOrder = timelines.values();
  return asked.map((one) => {
    const timeline = one && inOrder.next().value;
    return timeline && orNothing(() => encodePublic(timeline));
  });
}

/** The pages in order, undefined where no user has the name. */
async function findTimelines(ctx: SocialContext, asked: readonly { nameKey: string; page: TimelinePage }[]) {
  const timelines = new Map<{ nameKey: string }, PublicTimeline>();
  const find = async (nameKeys: readonly string[], userIds: readonly bigint[]) => {
    const ids = new Map(nameKeys.map((key, index) => [key, userIds[index] as bigint]));
    const wanted = asked.filter(({ nameKey }) => ids.has(nameKey));
    const of = wanted.map((one) => ({ ...one, userId: ids.get(one.nameKey) as bigint }));
    const found = new Map<string, true>();
    for (const [index, timeline] of (await loadPublicTimelines(ctx.pool, of)).entries()) {
      const one = wanted[index];
      if (one === undefined || timeline === undefined) continue;
      timelines.set(one, timeline);
      found.set(one.nameKey, true);
    }
    return found;
  };
  const names = [...new Set(asked.map(({ nameKey }) => nameKey))];
  await findByNames(ctx, names, find, (names) => listNameHolders(ctx.pool, names));
  return asked.map((one) => timelines.get(one));
}

/** undefined where a request is refused by itself. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    return ignoreRefusal(error);
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ConnectError && ofOneRequest.has(error.code)) return undefined;
  throw error;
}

/** Errors that concern one of the requests and not the others. */
const ofOneRequest: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.Unauthenticated,
  Code.PermissionDenied,
]);
