import { pollNews } from "./news-polling.js";
import { canStream, streamNews } from "./news-stream.js";

/**
 * A timeline, followed from the point that a page of it gave as `newer`.
 * @typedef {{ operation: string, fields: object, newer: string }} Followed
 */

/**
 * What is told of it.
 * @typedef {object} NewsListener
 * @property {(statuses: any[], newer: string) => void} onStatuses statuses that were published since, the newest first, each once; `newer`
 *   is the point after them
 * @property {() => void} [onReset] something that was shown may be gone or have changed
 * @property {(isBehind: boolean) => void} [onBehind] whether news cannot be had for now
 */

/**
 * Follows a timeline until the returned function is called.
 * @typedef {(timeline: Followed, listener: NewsListener) => () => void} NewsSource
 */

/** The source of all news: a stream where there is one. @type {NewsSource} */
export function followNews(timeline, listener) {
  return canStream(timeline) ? streamNews(timeline, listener) : pollNews(timeline, listener);
}
