import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type ListTimelinesRequest,
  ListTimelinesResponseSchema,
  type SocialTimelinesRequest,
} from "../../../proto/gen/social/v1/social_service_pb.ts";
import { invalid } from "../../platform/errors.ts";
import type { SocialContext } from "../context.ts";
import { socialTimelines } from "./social-timelines.ts";

/** Several pages at once, to nobody. A statement for each, so that each needs the shard of one author only. */
export async function listTimelines(ctx: SocialContext, { requests }: ListTimelinesRequest) {
  if (requests.length > most) throw invalid("requests", "Length", `'Requests' must have at most ${most} entries.`);
  const timelines = await Promise.all(requests.map((request) => timelineOrNothing(ctx, request)));
  return create(ListTimelinesResponseSchema, { results: timelines.map((timeline) => ({ timeline })) });
}

async function timelineOrNothing(ctx: SocialContext, request: SocialTimelinesRequest) {
  try {
    return await socialTimelines(ctx, request, undefined);
  } catch (error) {
    if (error instanceof ConnectError && refusals.has(error.code)) return undefined;
    throw error;
  }
}

/** What is wrong with one request and says nothing of the others. */
const refusals: ReadonlySet<Code> = new Set([Code.InvalidArgument, Code.NotFound, Code.Unauthenticated]);

const most = 100;
