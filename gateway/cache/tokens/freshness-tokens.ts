import { chunk } from "../../../services/platform/chunk.ts";
import { millisecondsUntil } from "../../http/limits/deadline.ts";
import { askList } from "../batches/ask-list.ts";
import { createBatcher } from "../batches/batcher.ts";
import type { CacheCounts, TokenCounts } from "../cache-metrics.ts";
import type { ListTokens } from "./list-tokens.ts";
import { askedTokens, type TokensOf } from "./token-lists.ts";

/** Names a state of a subject that is not older than the request for the token. */
export type FreshnessToken = string;

/** Asks a service for every token: one call for all requests of a turn of the event loop. */
export function createTokenReader(
  listTokens: ListTokens,
  tokens: TokenCounts,
  { ask }: Pick<CacheCounts["batches"], "ask">,
): TokensOf {
  return askedTokens(
    createBatcher(async (keys, deadline) => {
      ask.observe(keys.length);
      tokens.made.value += keys.length;
      const list = (some: readonly string[]) => listTokens(some, millisecondsUntil(deadline));
      return (await Promise.all(chunk(keys, maxSubjects).map((some) => askList(some, list)))).flat();
    }),
  );
}

/** Subjects in one call. A batch of large lookups has more subjects, so it takes several calls. */
const maxSubjects = 2_000;
