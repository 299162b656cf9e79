import { create } from "@bufbuild/protobuf";
import {
  type ListTokensRequest,
  ListTokensRequestSchema,
  ListTokensResponseSchema,
} from "../../../../proto/gen/social/v1/freshness_service_pb.ts";
import { invalidFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import { isScreenName, nameKey } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { listFreshness } from "../../store/freshness/list-freshness.ts";
import { freshnessToken, unknownNameToken } from "../../views/freshness-token.ts";

/** The freshness token of each name. Reads the primary, like everything here: a replica may lag behind a write. */
export async function listTokens(ctx: SocialContext, request: ListTokensRequest) {
  const fault = tooManyEntries(ListTokensRequestSchema, request);
  if (fault !== undefined) throw invalidFields([fault]);
  const { screenNames, announcedTokens } = request;
  const keys = screenNames.map((name) => (isScreenName(name) ? nameKey(name) : ""));
  // Before the read, so that a token's time starts before its state was read.
  const offer = ctx.freshness.offer();
  const { states, agreedPlace } = await listFreshness(ctx.pool, keys);
  const tokens = keys.map((key) => {
    const state = states.get(key);
    return state === undefined ? unknownNameToken : freshnessToken(state);
  });
  const response = create(ListTokensResponseSchema, { tokens, ...offer(agreedPlace) });
  if (announcedTokens.length > 0) {
    await ctx.freshness.announceStates(
      keys.filter((key, index) => key !== "" && tokens[index] !== announcedTokens[index]),
    );
  }
  return response;
}
