import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { SessionService } from "../../../proto/gen/account/v1/session_service_pb.ts";
import type { Callers, RememberedSession } from "../../http/fast-path/callers.ts";
import { type Deadline, millisecondsUntil } from "../../http/limits/deadline.ts";
import type { RememberedStates } from "../../http/replies/reply-loaders.ts";
import { absentToken } from "./absent-token.ts";
import type { TokenList, TokensOf } from "./token-lists.ts";

/** The users of sessions. */
export type SessionUsers = Pick<Callers, "findUser" | "findRemembered">;

/**
 * Finds the users of sessions by the sessions' tokens, so that an ended session has no user from the next request on.
 * @param tokensOf the tokens of sessions; undefined: the account service is asked each time
 */
export function sessionUsers(
  client: Pick<Client<typeof SessionService>, "findSessionUsers">,
  tokensOf: TokensOf | undefined,
): SessionUsers {
  async function ask(sessionId: string, deadline: Deadline): Promise<string | undefined> {
    const timeoutMs = millisecondsUntil(deadline);
    const [userId = 0n] = (await client.findSessionUsers({ sessionIds: [sessionId] }, { timeoutMs })).userIds;
    return userId === 0n ? undefined : userId.toString();
  }

  if (tokensOf === undefined) return { findUser: ask, findRemembered: () => undefined };

  /** By session id: hashing the id for each request would cost as much as a short page. */
  const sessions = new LRUCache<string, { tokens: TokenList; session?: RememberedSession | undefined }>({
    max: maxSessions,
  });

  return {
    async findUser(sessionId, deadline) {
      let entry = sessions.get(sessionId);
      if (entry === undefined) {
        entry = { tokens: tokensOf([sessionId]) };
        sessions.set(sessionId, entry);
      }
      const { tokens } = entry;
      const [token = ""] = await tokens.read(deadline);
      if (token === absentToken) {
        entry.session = undefined;
        return undefined;
      }
      entry.session ??= new TokenSession(tokens, token);
      return entry.session.user;
    },
    findRemembered: (sessionId) => sessions.get(sessionId)?.session,
  };
}

class TokenSession implements RememberedSession {
  readonly user: string;
  readonly #tokens: TokenList;

  constructor(tokens: TokenList, user: string) {
    this.#tokens = tokens;
    this.user = user;
  }

  confirm(deadline: Deadline, others?: RememberedStates): Promise<unknown> | undefined {
    return this.#tokens.confirm(deadline, others);
  }

  isOpen(): boolean {
    const [token = ""] = this.#tokens.remembered() ?? [];
    return token !== "" && token !== absentToken;
  }
}

/** Sessions whose tokens are looked up without hashing their ids: five megabytes. */
const maxSessions = 10_000;
