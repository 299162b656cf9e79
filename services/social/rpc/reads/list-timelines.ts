import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type ListTimelinesRequest,
  ListTimelinesRequestSchema,
  ListTimelinesResponseSchema,
} from "../../../../proto/gen/social/v1/social_service_pb.ts";
import { refuseFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import type { SocialContext } from "../../context.ts";
import { socialTimelines } from "./social-timelines.ts";

/** Several pages at once, for anonymous callers; a page is left out where its request alone would be refused. */
export async function listTimelines(ctx: SocialContext, request: ListTimelinesRequest) {
  refuseFields([tooManyEntries(ListTimelinesRequestSchema, request)]);
  const timelines = request.requests.map((one) => socialTimelines(ctx, one, undefined).catch(ignoreRefusal));
  const results = (await Promise.all(timelines)).map((timeline) => ({ timeline }));
  return create(ListTimelinesResponseSchema, { results });
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
