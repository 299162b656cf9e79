import { maxStatusLength } from "./status-draft.ts";

/** The text of a repost, `RT @name: …`, cut to the limit with an ellipsis where it is longer. */
export function repostText(screenName: string, text: string): { text: string; truncated: boolean } {
  const points = [...`RT @${screenName}: ${text}`];
  if (points.length <= maxStatusLength) return { text: points.join(""), truncated: false };
  return { text: `${points.slice(0, maxStatusLength - 1).join("")}…`, truncated: true };
}
