import type { Deadline } from "../../http/limits/deadline.ts";
import type { Ask } from "../batches/batcher.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";

/** The tokens of some subjects, for requests that need the same ones again and again. */
export interface TokenList {
  /** The tokens, in the order of their subjects; mostly the same array while they stay equal. Rejects with ConnectError. */
  read(deadline: Deadline): Promise<readonly FreshnessToken[]>;
  /**
   * For a caller that can go on at once with what is remembered: resolves when `remembered` counts for a request that came before
   * this call. undefined: not all tokens are remembered, so they have to be read. May reject, as `read` does.
   */
  confirm(deadline: Deadline): Promise<unknown> | undefined;
  /** The tokens, if nothing is missing. */
  remembered(): readonly FreshnessToken[] | undefined;
}

/** Prepares the reading of the tokens of some subjects. */
export type TokensOf = (subjectKeys: readonly string[]) => TokenList;

/** Lists of tokens that are asked for each time. */
export function askedTokens(ask: Ask<FreshnessToken>): TokensOf {
  return (subjectKeys) => ({
    read: (deadline) => ask(subjectKeys, deadline),
    confirm: () => undefined,
    remembered: () => undefined,
  });
}
