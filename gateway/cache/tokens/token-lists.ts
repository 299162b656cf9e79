import type { Deadline } from "../../http/limits/deadline.ts";
import type { RememberedStates } from "../../http/replies/page-loaders.ts";
import type { Ask } from "../batches/batcher.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";

/** The tokens of some subjects, for requests that need the same ones again and again. */
export interface TokenList extends RememberedStates {
  /** The tokens, in the order of their subjects; mostly the same array while they stay equal. Rejects with ConnectError. */
  read(deadline: Deadline): Promise<readonly FreshnessToken[]>;
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
