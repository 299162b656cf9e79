import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type ListTimelinesRequest,
  ListTimelinesRequestSchema,
  ListTimelinesResponseSchema,
  type SocialTimelinesRequest,
} from "../../../../proto/gen/social/v1/social_service_pb.ts";
import { invalidFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import type { SocialContext } from "../../context.ts";
import { socialTimelines } from "./social-timelines.ts";

/** Several pages at once, for anonymous callers. One statement for each page, so that each needs the shard of one author only. */
export async function listTimelines(ctx: SocialContext, request: ListTimelinesRequest) {
  const fault = tooManyEntries(ListTimelinesRequestSchema, request);
  if (fault !== undefined) throw invalidFields([fault]);
  const timelines = await Promise.all(request.requests.map((request) => timelineOrNothing(ctx, request)));
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

/** Errors that concern one of the requests and not the others. */
const refusals: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.Unauthenticated,
  Code.PermissionDenied,
]);
