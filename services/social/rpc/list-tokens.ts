import { create } from "@bufbuild/protobuf";
import { type ListTokensRequest, ListTokensResponseSchema } from "../../../proto/gen/social/v1/freshness_service_pb.ts";
import { invalid } from "../../platform/errors.ts";
import type { SocialContext } from "../context.ts";
import { isScreenName } from "../domain/screen-name.ts";
import { listFreshness } from "../store/list-freshness.ts";
import { freshnessToken, nobody } from "../views/freshness-token.ts";

/** The freshness token of each name. Reads the primary, like everything here: a replica may lag behind a write. */
export async function listTokens(ctx: SocialContext, { screenNames }: ListTokensRequest) {
  if (screenNames.length > most) {
    throw invalid("screenNames", "Length", `'Screen Names' must have at most ${most} entries.`);
  }
  // Screen names are ASCII, so that this is the database's own lower().
  const keys = screenNames.map((name) => (isScreenName(name) ? name.toLowerCase() : ""));
  const states = await listFreshness(ctx.pool, keys);
  const tokens = keys.map((key) => {
    const state = states.get(key);
    return state === undefined ? nobody : freshnessToken(state);
  });
  return create(ListTokensResponseSchema, { tokens, keepMs: ctx.freshness.keepMs });
}

const most = 10_000;
