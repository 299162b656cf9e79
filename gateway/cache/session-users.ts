import { createHash } from "node:crypto";
import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { absentToken } from "../../services/platform/freshness/absent-token.ts";
import { sessionKey } from "../../services/platform/redis/freshness-key.ts";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";
import type { FindUser } from "../sessions/sessions.ts";
import type { Ask } from "./batcher.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";

/**
 * Finds the users of sessions by the sessions' tokens, so that a session that ended is gone from the next request on.
 * @param tokensOf the tokens of sessions; undefined: the account service is asked each time
 */
export function sessionUsers(
  client: Pick<Client<typeof SessionService>, "getSession">,
  tokensOf: Ask<FreshnessToken> | undefined,
): FindUser {
  /** Subject keys by session id: a hash for each request would cost as much as a short page. */
  const keys = new LRUCache<string, string>({ max: maxKeys });

  function keyOf(sessionId: string): string {
    let key = keys.get(sessionId);
    if (key === undefined) {
      key = sessionKey(createHash("sha256").update(sessionId).digest());
      keys.set(sessionId, key);
    }
    return key;
  }

  async function ask(sessionId: string, deadline: Deadline): Promise<string | undefined> {
    const { userId } = await client.getSession({ sessionId }, { timeoutMs: millisecondsUntil(deadline) });
    return userId?.toString();
  }

  if (tokensOf === undefined) return ask;
  return async (sessionId, deadline) => {
    const [token = ""] = await tokensOf([keyOf(sessionId)], deadline);
    if (token === absentToken) return undefined;
    return token === "" ? ask(sessionId, deadline) : token.slice(0, token.indexOf("."));
  };
}

/** Session ids whose keys are remembered: two megabytes. */
const maxKeys = 10_000;
