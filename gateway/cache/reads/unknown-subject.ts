import { Code, ConnectError } from "@connectrpc/connect";
import { toPublicError } from "../../http/errors/from-service.ts";
import type { PublicError } from "../../http/errors/public-error.ts";
import { unknownNameToken } from "../tokens/absent-token.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";

/**
 * Caches refusals of requests for names that no user has. When the name is registered its token changes.
 * @returns a function that makes the cache of one request. All requests of an operation mostly share one error object.
 */
export function createUnknownSubjects(): () => UnknownSubject {
  let last: PublicError | undefined;
  const intern = (error: PublicError): PublicError => {
    if (last?.toText() !== error.toText()) last = error;
    return last as PublicError;
  };
  return () => new UnknownSubject(intern);
}

/** The cached refusal of one request, used while no user has the requested name. */
export class UnknownSubject {
  readonly #intern: (error: PublicError) => PublicError;
  #refusal: PublicError | undefined;

  /** @param intern gives one object for equal errors */
  constructor(intern: (error: PublicError) => PublicError) {
    this.#intern = intern;
  }

  /** The cached refusal; undefined where there is none, or a user may have the name. */
  refusal(token: FreshnessToken): PublicError | undefined {
    return token === unknownNameToken ? this.#refusal : undefined;
  }

  /**
   * Loads, and caches the refusal if no user has the name. While the token says that this is still so, the refusal is thrown again
   * without a load. Rejects with PublicError for such a refusal, else as `load` does.
   */
  async refuseOr<T>(token: FreshnessToken, load: () => Promise<T>): Promise<T> {
    if (token !== unknownNameToken) return load();
    if (this.#refusal !== undefined) throw this.#refusal;
    try {
      return await load();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // An error below 500 shows no reference.
      this.#refusal = this.#intern(toPublicError(error, ""));
      throw this.#refusal;
    }
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}
