import { element, outsideLink, written } from "./element.js";
import { momentView } from "./moment-view.js";
import { pictureView } from "./picture-view.js";
import { timelineHref } from "./place.js";
import { sourceName, unescaperOf } from "./plain-text.js";
import { splitText } from "./split-text.js";

/**
 * One status: its words with their entities, its pictures, and when and with what it was written.
 * @param {any} status
 * @param {string | undefined} lang
 */
export function statusView(status, lang) {
  const media = status.entities?.media ?? [];
  return element(
    "article",
    { class: "status", "data-id": `${status.id}` },
    replyLine(status),
    written("p", "words", lang, ...wordsOf(status)),
    ...media.map(pictureView),
    element("p", { class: "about" }, momentView(status.created_at), ...aboutOf(status)),
  );
}

/** @param {any} status */
function wordsOf(status) {
  const plain = unescaperOf(status.text);
  const parts = splitText(status.text, status.entities ?? {});
  return parts.map(({ text, kind, entity }) => {
    if (kind === "url") return outsideLink(entity.expanded_url || entity.url, entity.display_url || plain(text));
    if (kind === "mention") return element("a", { href: timelineHref(entity.screen_name), dir: "auto" }, plain(text));
    if (kind === "hashtag") return element("span", { class: "hashtag", dir: "auto" }, plain(text));
    // The picture below has this address as its caption.
    return kind === "media" ? "" : plain(text);
  });
}

/** @param {any} status */
function replyLine({ in_reply_to_screen_name: name, in_reply_to_status_id: id }) {
  if (!name) return undefined;
  const href = timelineHref(name, id === undefined ? {} : { maxId: id });
  return element("p", { class: "reply" }, "In reply to ", element("a", { href, dir: "auto" }, `@${name}`));
}

/** @param {any} status */
function aboutOf({ source, retweet_count: reposts, coordinates }) {
  const name = sourceName(source ?? "");
  const [longitude, latitude] = coordinates?.coordinates ?? [];
  const facts = [
    name === "" ? undefined : `with ${name}`,
    reposts > 0 ? `${reposts} ${reposts === "1" ? "repost" : "reposts"}` : undefined,
    latitude === undefined ? undefined : `at ${latitude.toFixed(2)}, ${longitude.toFixed(2)}`,
  ];
  return facts.filter((fact) => fact !== undefined).map((fact) => element("span", { dir: "auto" }, fact));
}
