import { cutToWeight } from "./weighted-text.ts";

/** The text of a repost, `RT @name: …`, cut to the limit in weighted characters where it is longer. */
export function repostText(screenName: string, text: string, maxWeight: number): { text: string; truncated: boolean } {
  return cutToWeight(`RT @${screenName}: ${text}`, maxWeight);
}
