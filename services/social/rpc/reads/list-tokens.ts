import { create } from "@bufbuild/protobuf";
import {
  type ListTokensRequest,
  ListTokensRequestSchema,
  ListTokensResponseSchema,
} from "../../../../proto/gen/social/v1/freshness_service_pb.ts";
import { refuseFields } from "../../../platform/errors.ts";
import { absentToken, unknownNameToken } from "../../../platform/freshness/absent-token.ts";
import { changedSubjects } from "../../../platform/freshness/changed-subjects.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import { viewerKey } from "../../../platform/redis/freshness-key.ts";
import { isScreenName, nameKey } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { type Agreement, type AuthorState, listFreshness, listHolders } from "../../store/freshness/list-freshness.ts";
import { type FreshnessState, freshnessToken } from "../../views/freshness-token.ts";
import { findByNames } from "../find-by-names.ts";

/** The freshness tokens of authors and viewers. Reads the primary, like everything here: a replica may lag behind a write. */
export async function listTokens(ctx: SocialContext, request: ListTokensRequest) {
  refuseFields([tooManyEntries(ListTokensRequestSchema, request)]);
  const { screenNames, viewerIds } = request;
  const keys = screenNames.map((name) => (isScreenName(name) ? nameKey(name) : ""));
  // Before the read, so that a token's time starts before its state was read.
  const offer = ctx.freshness.offer();
  const { authors, viewers, agreement } = await findStates(ctx, keys, viewerIds);
  const tokens = keys.map((key) => authorToken(authors.get(key)));
  const viewerTokens = viewerIds.map((id) => (agreement?.announces_viewers ? tokenOf(viewers.get(id)) : ""));
  const response = create(ListTokensResponseSchema, {
    tokens,
    viewerTokens,
    ...offer(agreement?.agreed_place ?? null),
  });
  await ctx.freshness.announceStates([
    ...changedSubjects(keys, tokens, request.announcedTokens),
    ...changedSubjects(viewerIds.map(viewerKey), viewerTokens, request.announcedViewerTokens),
  ]);
  return response;
}

/**
 * The states of authors and viewers, and the place where all processes announced before any state was read. A process that announced
 * elsewhere and has ended since may have changed what was read earlier.
 */
async function findStates(ctx: SocialContext, keys: readonly string[], viewerIds: readonly bigint[]) {
  let agreement: Agreement | undefined;
  let viewers = new Map<bigint, FreshnessState>();
  let pendingIds = viewerIds;
  const isCluster = await ctx.isCluster();
  const find = async (nameKeys: readonly string[], userIds: readonly bigint[]) => {
    const found = await listFreshness(ctx.pool, { nameKeys, userIds, viewerIds: pendingIds }, isCluster);
    agreement ??= found.agreement;
    if (pendingIds.length > 0) viewers = found.viewers;
    pendingIds = [];
    return found.authors;
  };
  const lookUp = async (nameKeys: readonly string[]) => {
    const found = await listHolders(ctx.pool, nameKeys);
    agreement ??= found.agreement;
    return found.holders;
  };
  const authors = await findByNames(ctx, [...new Set(keys.filter((key) => key !== ""))], find, lookUp);
  if (pendingIds.length > 0) await find([], []);
  return { authors, viewers, agreement };
}

/** The reply says that a user is suspended, so a suspended user has another token than an unknown name. */
function authorToken(state: AuthorState | undefined): string {
  if (state === undefined) return unknownNameToken;
  return state.suspended ? absentToken : freshnessToken(state);
}

function tokenOf(state: FreshnessState | undefined): string {
  return state === undefined ? absentToken : freshnessToken(state);
}
