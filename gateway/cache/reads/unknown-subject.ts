import { Code, ConnectError } from "@connectrpc/connect";
import { unknownNameToken } from "../../../services/platform/freshness/absent-token.ts";
import { toPublicError } from "../../http/errors/from-service.ts";
import type { PublicError } from "../../http/errors/public-error.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";

/** The cached refusal of one request, used while no user has the requested name. */
export interface UnknownSubject {
  /**
   * Loads, and remembers the error if no user has the name. While the token says that this is still so, the error is thrown again
   * without a load. Rejects with PublicError for a remembered error, else as `load` does.
   */
  refuseOr<T>(token: FreshnessToken, load: () => Promise<T>): Promise<T>;
  /** The remembered error; undefined where there is none, or a user may have the name. */
  refusal(token: FreshnessToken): PublicError | undefined;
}

/**
 * Caches refusals of requests for names that no user has. When the name is registered its token changes.
 * @returns a function that makes the cache of one request. All requests of an operation mostly share one error object.
 */
export function createUnknownSubjects(): () => UnknownSubject {
  let last: PublicError | undefined;

  function held(error: PublicError): PublicError {
    if (last?.toText() !== error.toText()) last = error;
    return last as PublicError;
  }

  return () => {
    let refusal: PublicError | undefined;
    return {
      refusal: (token) => (token === unknownNameToken ? refusal : undefined),
      async refuseOr(token, load) {
        if (token !== unknownNameToken) return load();
        if (refusal !== undefined) throw refusal;
        try {
          return await load();
        } catch (error) {
          if (!isNotFound(error)) throw error;
          // An error below 500 shows no reference.
          refusal = held(toPublicError(error, ""));
          throw refusal;
        }
      },
    };
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}
