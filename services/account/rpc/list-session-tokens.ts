import { create } from "@bufbuild/protobuf";
import {
  type ListSessionTokensRequest,
  ListSessionTokensRequestSchema,
  ListSessionTokensResponseSchema,
} from "../../../proto/gen/account/v1/session_service_pb.ts";
import { refuseFields } from "../../platform/errors.ts";
import { absentToken } from "../../platform/freshness/absent-token.ts";
import { waitMsFor } from "../../platform/freshness/announcer-registration.ts";
import { changedSubjects } from "../../platform/freshness/changed-subjects.ts";
import { tooManyEntries } from "../../platform/max-entries.ts";
import { sessionKey } from "../../platform/redis/freshness-key.ts";
import type { AccountContext } from "../context.ts";
import { listSessionStates } from "../store/list-session-states.ts";
import { sessionToken } from "../views/session-token.ts";

/** The freshness tokens of sessions, as the social service's ListTokens gives those of its users. */
export async function listSessionTokens(ctx: AccountContext, request: ListSessionTokensRequest) {
  refuseFields([tooManyEntries(ListSessionTokensRequestSchema, request)]);
  const hashes = request.idHashes.map((hash) => Buffer.from(hash));
  // Before the read, so that a token's time starts before its state was read.
  const offer = ctx.announcer.offer();
  const lastingMs = 2 * waitMsFor(ctx.config.freshnessMs);
  const { sessions, agreedPlace } = await listSessionStates(ctx.pool, hashes, lastingMs);
  const byHash = new Map(sessions.map((session) => [session.id_hash.toString("hex"), session]));
  const tokens = hashes.map((hash) => {
    const session = byHash.get(hash.toString("hex"));
    if (session === undefined) return absentToken;
    // A session that is about to expire gets no token.
    return session.is_lasting ? sessionToken(session.user_id) : "";
  });
  await ctx.announcer.announce(changedSubjects(hashes.map(sessionKey), tokens, request.announcedTokens));
  return create(ListSessionTokensResponseSchema, { tokens, ...offer(agreedPlace) });
}
