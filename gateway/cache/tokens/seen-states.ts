import { Code, ConnectError } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import { refusedByHeader } from "../../../services/platform/connect/identity.ts";
import { absentToken, isAbsent, unknownNameToken } from "../../../services/platform/freshness/absent-token.ts";
import { freshnessKey, isViewerKey, viewerKey } from "../../../services/platform/redis/freshness-key.ts";
import type { LeasedValues } from "../../../services/platform/redis/leased-values.ts";
import { toPublicError } from "../../http/errors/from-service.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import type { TokenSource } from "./token-source.ts";

/** A state that a reply is about to show and that came from the service, not from Redis. */
export interface SeenState {
  subjectKey: string;
  token: FreshnessToken;
}

/** Resolves when no gateway answers a later read with an older state than these. Rejects with ConnectError. */
export type RaiseTokens = (seen: readonly SeenState[], deadline: Deadline) => Promise<void>;

/**
 * Loads. Where the service refuses that (401, 403, 404), has it announce the state in which it refused: rejects once no gateway answers a
 * later read with an older state of the subjects. Rejects with ConnectError.
 * @param read the states that the reply should have shown
 */
export type LoadOrAnnounce = <T>(read: readonly SeenState[], load: () => Promise<T>, deadline: Deadline) => Promise<T>;

/**
 * Announces the refusal of a read that is not cached: resolves when no gateway answers a later read with an older state of the viewer or of
 * the users whom the service names in the refusal. Does nothing for other errors. Rejects with ConnectError.
 */
export type AnnounceRefusal = (error: unknown, viewerId: string | undefined, deadline: Deadline) => Promise<void>;

/**
 * Counters that other users change do not drop a token. So a reply of the service may show a newer state than the token in
 * Redis, or than the one that a gateway is about to store; the next reader would see the older state again (contract §8.4).
 * Therefore the gateway raises the token in Redis to the state that it saw; where it cannot, it has the service drop the token.
 */
export function createRaiseTokens(tokenStore: LeasedValues | undefined, source: TokenSource): RaiseTokens {
  async function raise(seen: readonly SeenState[]): Promise<boolean> {
    if (tokenStore === undefined || !source.mayStore()) return false;
    const states = seen.map(({ subjectKey, token }) => ({ key: freshnessKey(subjectKey), state: token }));
    return tokenStore.raise(states).then(
      () => true,
      () => false,
    );
  }

  return async (seen, deadline) => {
    const unknown = seen.filter(({ subjectKey, token }) => source.announced.get(subjectKey) !== token);
    if (unknown.length === 0) return;
    if (await raise(unknown)) for (const { subjectKey, token } of unknown) source.announced.set(subjectKey, token);
    else {
      const subjectKeys = unknown.map(({ subjectKey }) => subjectKey);
      await source.askAnnounced(subjectKeys, deadline);
    }
  };
}

/**
 * A refusal names no state, so the gateway cannot raise a token to it. It asks for the tokens of the subjects, which the service announces.
 * If they equal the tokens of the read, they are the states of the refusal, and the next equal refusal in these states asks nothing.
 */
export function createLoadOrAnnounce(askAnnounced: TokenSource["askAnnounced"]): LoadOrAnnounce {
  /** By subjects: the tokens under which the service refused last, with the error. */
  const refused = new LRUCache<string, string>({ max: maxRefused });
  return async (read, load, deadline) => {
    try {
      return await load();
    } catch (error) {
      if (!isRefusal(error) || read.some((state) => explains(state, error))) throw error;
      const subjectKeys = read.map(({ subjectKey }) => subjectKey);
      const name = subjectKeys.join();
      const tokens = read.map(({ token }) => token).join();
      // Another refusal under the same tokens means a newer state that is not announced yet.
      const refusal = `${tokens} ${error.code} ${error.rawMessage}`;
      if (refused.get(name) !== refusal) {
        const now = await askAnnounced(subjectKeys, deadline);
        // An absent token may come back after another state.
        if (now.join() === tokens && !now.some(isAbsent)) refused.set(name, refusal);
      }
      throw error;
    }
  };
}

export function createAnnounceRefusal(askAnnounced: TokenSource["askAnnounced"]): AnnounceRefusal {
  return async (error, viewerId, deadline) => {
    if (!isRefusal(error)) return;
    const names = error.metadata.get(refusedByHeader)?.split(/,\s*/) ?? [];
    const subjectKeys = viewerId === undefined ? names : [...names, viewerKey(viewerId)];
    if (subjectKeys.length > 0) await askAnnounced(subjectKeys, deadline);
  };
}

function isRefusal(error: unknown): error is ConnectError {
  return error instanceof ConnectError && refusals.has(error.code);
}

const refusals: ReadonlySet<Code> = new Set([Code.Unauthenticated, Code.PermissionDenied, Code.NotFound]);

/** Whether this refusal follows from the token alone. */
function explains({ subjectKey, token }: SeenState, error: ConnectError): boolean {
  if (isViewerKey(subjectKey)) return false;
  if (token === unknownNameToken) return error.code === Code.NotFound;
  return token === absentToken && toPublicError(error, "").responseStatus.errorCode === "Suspended";
}

/** Subjects whose last refusal is stored; for the others the service is asked each time. */
const maxRefused = 10_000;
