import { Code, ConnectError } from "@connectrpc/connect";
import { unknownNameToken } from "../../../services/platform/freshness/absent-token.ts";
import { toPublicError } from "../../http/errors/from-service.ts";
import type { PublicError } from "../../http/errors/public-error.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";

/**
 * Caches refusals of requests for names that no user has. When the name is registered its token changes.
 * @returns a function that makes the cache of one request. All requests of an operation mostly share one error object.
 */
export function createUnknownSubjects(): () => UnknownSubject {
  let last: PublicError | undefined;
  const shared = (error: PublicError): PublicError => {
    if (last?.toText() !== error.toText()) last = error;
    return last as PublicError;
  };
  return () => new UnknownSubject(shared);
}

/** The cached refusal of one request, used while no user has the requested name. */
export class UnknownSubject {
  readonly #shared: (error: PublicError) => PublicError;
  #refusal: PublicError | undefined;

  /** @param shared gives the object for all equal errors */
  constructor(shared: (error: PublicError) => PublicError) {
    this.#shared = shared;
  }

  /** The remembered error; undefined where there is none, or a user may have the name. */
  refusal(token: FreshnessToken): PublicError | undefined {
    return token === unknownNameToken ? this.#refusal : undefined;
  }

  /**
   * Loads, and remembers the error if no user has the name. While the token says that this is still so, the error is thrown again
   * without a load. Rejects with PublicError for a remembered error, else as `load` does.
   */
  async refuseOr<T>(token: FreshnessToken, load: () => Promise<T>): Promise<T> {
    if (token !== unknownNameToken) return load();
    if (this.#refusal !== undefined) throw this.#refusal;
    try {
      return await load();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // An error below 500 shows no reference.
      this.#refusal = this.#shared(toPublicError(error, ""));
      throw this.#refusal;
    }
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}
