import { Code, ConnectError } from "@connectrpc/connect";
import {
  type ListTimelinesRequest,
  ListTimelinesRequestSchema,
  ListTimelinesResponseSchema,
  type SocialTimelinesRequest,
} from "../../../../proto/gen/social/v1/social_service_pb.ts";
import { encodedMessage } from "../../../platform/connect/encode-once.ts";
import { invalidFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import type { SocialContext } from "../../context.ts";
import { listedTimelines } from "../../views/public-timeline.ts";
import { encodedTimeline } from "./social-timelines.ts";

/** Several pages at once, for anonymous callers. One statement for each page, so that each needs the shard of one author only. */
export async function listTimelines(ctx: SocialContext, request: ListTimelinesRequest) {
  const fault = tooManyEntries(ListTimelinesRequestSchema, request);
  if (fault !== undefined) throw invalidFields([fault]);
  const timelines = await Promise.all(request.requests.map((request) => timelineOrNothing(ctx, request)));
  return encodedMessage(ListTimelinesResponseSchema, listedTimelines(timelines));
}

async function timelineOrNothing(ctx: SocialContext, request: SocialTimelinesRequest): Promise<Uint8Array | undefined> {
  try {
    return await encodedTimeline(ctx, request);
  } catch (error) {
    if (error instanceof ConnectError && refusals.has(error.code)) return undefined;
    throw error;
  }
}

/** Errors that concern one of the requests and not the others. */
const refusals: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.Unauthenticated,
  Code.PermissionDenied,
]);
