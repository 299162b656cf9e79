import { createHash } from "node:crypto";
import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { SessionService } from "../../../proto/gen/account/v1/session_service_pb.ts";
import { absentToken } from "../../../services/platform/freshness/absent-token.ts";
import { sessionKey } from "../../../services/platform/redis/freshness-key.ts";
import { type Deadline, millisecondsUntil } from "../../http/limits/deadline.ts";
import type { FindUser } from "../../sessions/sessions.ts";
import type { TokenList, TokensOf } from "./token-lists.ts";

/** The users of sessions. */
export interface SessionUsers {
  findUser: FindUser;
  /** Whose session it was when it was looked up last, which may have ended since; undefined where that is not remembered. */
  lastUser(sessionId: string): string | undefined;
}

/**
 * Finds the users of sessions by the sessions' tokens, so that an ended session has no user from the next request on.
 * @param tokensOf the tokens of sessions; undefined: the account service is asked each time
 */
export function sessionUsers(
  client: Pick<Client<typeof SessionService>, "getSession">,
  tokensOf: TokensOf | undefined,
): SessionUsers {
  /** Tokens and users by session id: hashing the id for each request would cost as much as a short page. */
  const known = new LRUCache<string, { tokens: TokenList; user?: string }>({ max: maxKnown });

  async function ask(sessionId: string, deadline: Deadline): Promise<string | undefined> {
    const { userId } = await client.getSession({ sessionId }, { timeoutMs: millisecondsUntil(deadline) });
    return userId?.toString();
  }

  if (tokensOf === undefined) return { findUser: ask, lastUser: () => undefined };

  const recall = (sessionId: string) => {
    let session = known.get(sessionId);
    if (session === undefined) {
      session = { tokens: tokensOf([sessionKey(createHash("sha256").update(sessionId).digest())]) };
      known.set(sessionId, session);
    }
    return session;
  };

  return {
    async findUser(sessionId, deadline) {
      const session = recall(sessionId);
      const [token = ""] = await session.tokens.read(deadline);
      if (token === absentToken) return undefined;
      if (token === "") return ask(sessionId, deadline);
      // A session never changes its user.
      return (session.user ??= token.slice(0, token.indexOf(".")));
    },
    lastUser: (sessionId) => known.get(sessionId)?.user,
  };
}

/** Session ids that are remembered: five megabytes. */
const maxKnown = 10_000;
