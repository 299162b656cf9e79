/** The state of a user's row, as far as it shows in what nobody in particular sees. */
export interface FreshnessState {
  user_id: bigint;
  content_version: bigint;
  counters_version: bigint;
}

/** A short name for that state: equal tokens, equal profile and timeline (design §5). Protection is a change of content. */
export function freshnessToken({ user_id, content_version, counters_version }: FreshnessState): string {
  return [user_id, content_version, counters_version].map((part) => part.toString(36)).join(".");
}

/** The token of a name to which nobody answers. */
export const nobody = "nobody";
