import { create } from "@bufbuild/protobuf";
import {
  type ListTokensRequest,
  ListTokensRequestSchema,
  ListTokensResponseSchema,
} from "../../../../proto/gen/social/v1/freshness_service_pb.ts";
import { invalidFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import { viewerKey } from "../../../platform/redis/freshness-key.ts";
import { isScreenName, nameKey } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { listFreshness } from "../../store/freshness/list-freshness.ts";
import { type FreshnessState, freshnessToken, unknownUserToken } from "../../views/freshness-token.ts";

/** The freshness tokens of authors and viewers. Reads the primary, like everything here: a replica may lag behind a write. */
export async function listTokens(ctx: SocialContext, request: ListTokensRequest) {
  const fault = tooManyEntries(ListTokensRequestSchema, request);
  if (fault !== undefined) throw invalidFields([fault]);
  const { screenNames, viewerIds } = request;
  const keys = screenNames.map((name) => (isScreenName(name) ? nameKey(name) : ""));
  // Before the read, so that a token's time starts before its state was read.
  const offer = ctx.freshness.offer();
  const { authors, viewers, agreedPlace, announcesViewers } = await listFreshness(ctx.pool, keys, viewerIds);
  const tokens = keys.map((key) => tokenOf(authors.get(key)));
  const viewerTokens = viewerIds.map((id) => (announcesViewers ? tokenOf(viewers.get(id)) : ""));
  const response = create(ListTokensResponseSchema, { tokens, viewerTokens, ...offer(agreedPlace) });
  await ctx.freshness.announceStates([
    ...changed(keys, tokens, request.announcedTokens),
    ...changed(viewerIds.map(viewerKey), viewerTokens, request.announcedViewerTokens),
  ]);
  return response;
}

function tokenOf(state: FreshnessState | undefined): string {
  return state === undefined ? unknownUserToken : freshnessToken(state);
}

/** Of which subjects another token is known to be announced; none where the caller does not ask for that. */
function changed(subjectKeys: readonly string[], tokens: readonly string[], announced: readonly string[]): string[] {
  if (announced.length === 0) return [];
  return subjectKeys.filter((key, index) => key !== "" && tokens[index] !== announced[index]);
}
