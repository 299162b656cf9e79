import type { Deadline } from "../../http/limits/deadline.ts";
import type { RememberedStates } from "../../http/replies/reply-loaders.ts";
import type { Ask } from "../batches/batcher.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";

/** The tokens of some subjects, for repeated requests that need the same ones. */
export interface TokenList extends RememberedStates {
  /** The tokens, in the order of their subjects; mostly the same array while they stay equal. Rejects with ConnectError. */
  read(deadline: Deadline): Promise<readonly FreshnessToken[]>;
}

/** Prepares the reading of the tokens of some subjects. */
export type TokensOf = (subjectKeys: readonly string[]) => TokenList;

export function areEqual(a: readonly FreshnessToken[], b: readonly FreshnessToken[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((token, index) => token === b[index]);
}

/** Lists of tokens that are asked for each time. They remember the newest answer. */
export function askedTokens(ask: Ask<FreshnessToken>): TokensOf {
  return (subjectKeys) => new AskedList(ask, subjectKeys);
}

class AskedList implements TokenList {
  readonly #ask: Ask<FreshnessToken>;
  readonly #keys: readonly string[];
  #tokens: readonly FreshnessToken[] | undefined;
  /** How many calls have been made, and the number of the call that gave `#tokens`. */
  #asked = 0;
  #answered = 0;

  constructor(ask: Ask<FreshnessToken>, keys: readonly string[]) {
    this.#ask = ask;
    this.#keys = keys;
  }

  async read(deadline: Deadline): Promise<readonly FreshnessToken[]> {
    const call = ++this.#asked;
    const tokens = await this.#ask(this.#keys, deadline);
    // A later call may have been answered first.
    if (call > this.#answered) {
      this.#answered = call;
      if (this.#tokens === undefined || !areEqual(tokens, this.#tokens)) this.#tokens = tokens;
    }
    return this.#tokens ?? tokens;
  }

  confirm(deadline: Deadline, others?: RememberedStates): Promise<unknown> | undefined {
    if (this.#keys.length === 0) return undefined;
    if (others === undefined) return this.read(deadline);
    const confirmed = others.confirm(deadline);
    return confirmed && Promise.all([confirmed, this.read(deadline)]);
  }

  remembered(): readonly FreshnessToken[] | undefined {
    return this.#tokens;
  }
}
