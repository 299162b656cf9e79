import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type ListTimelinesRequest,
  ListTimelinesRequestSchema,
  ListTimelinesResponseSchema,
  type SocialTimelinesRequest,
} from "../../../../proto/gen/social/v1/social_service_pb.ts";
import { shownUsersHeader, viewerVersionHeader } from "../../../platform/connect/identity.ts";
import { refuseFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import type { SocialContext } from "../../context.ts";
import { readInTurn } from "../read-list.ts";
import { socialTimelines } from "./social-timelines.ts";

/** Several pages at once, each for its own caller; a page is left out where its request alone would be refused. */
export async function listTimelines(ctx: SocialContext, request: ListTimelinesRequest, signal: AbortSignal) {
  refuseFields([tooManyEntries(ListTimelinesRequestSchema, request)]);
  const list = (one: SocialTimelinesRequest, viewer = 0n) =>
    (viewer === 0n ? listShared(ctx, one) : listForViewer(ctx, one, viewer, signal)).catch(ignoreRefusal);
  const results = await Promise.all(request.requests.map((one, index) => list(one, request.viewerIds[index])));
  return create(ListTimelinesResponseSchema, { results: results.map((result) => result ?? {}) });
}

async function listShared(ctx: SocialContext, request: SocialTimelinesRequest) {
  return { timeline: await socialTimelines(ctx, request, undefined) };
}

async function listForViewer(ctx: SocialContext, request: SocialTimelinesRequest, viewer: bigint, signal: AbortSignal) {
  const header = new Headers();
  const read = () => socialTimelines(ctx, request, viewer, header);
  const timeline = await readInTurn(ctx, viewer, signal, read);
  const [viewerVersion, shownUsers] = [viewerVersionHeader, shownUsersHeader].map((name) => header.get(name) ?? "");
  return { timeline, viewerVersion, shownUsers };
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
