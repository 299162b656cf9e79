import { create } from "@bufbuild/protobuf";
import { type Media, MediaSchema } from "../../../proto/gen/social/v1/entities_pb.ts";
import { nameKey } from "../../platform/rules/screen-name.ts";
import type { MentionableUser } from "../store/profiles/list-mentionable.ts";
import type { StoredEntities } from "../store/rows.ts";
import type { FoundEntities } from "./entities/found-entities.ts";

/** The entities of a new status: those found in its text, the users whom it mentions, and its media. */
export function composeEntities(
  text: string,
  found: FoundEntities,
  users: readonly MentionableUser[],
  media: readonly Media[],
): StoredEntities {
  const byName = new Map(users.map((user) => [user.nameKey, user]));
  return {
    ...(media.length > 0 && { media: media.map((medium) => placeMedium(text, medium)) }),
    urls: found.urls.map(({ url, start, end }) => ({
      url,
      displayUrl: displayUrl(url),
      expandedUrl: expandUrl(url),
      indices: [start, end],
    })),
    // A mention of an unknown user is plain text.
    userMentions: found.mentions.flatMap(({ screenName, start, end }) => {
      const user = byName.get(nameKey(screenName));
      if (user === undefined) return [];
      return [{ id: user.userId.toString(), name: user.name, screenName: user.screenName, indices: [start, end] }];
    }),
    hashtags: found.hashtags.map(({ text, start, end }) => ({ text, indices: [start, end] })),
  };
}

/** The position of the medium's link in the text, or the text's end when it is not there. */
function placeMedium(text: string, medium: Media) {
  const { mediaUrl, mediaUrlHttps, url, displayUrl, expandedUrl, type, sizes } = medium;
  const at = url === "" ? -1 : text.indexOf(url);
  const start = [...(at < 0 ? text : text.slice(0, at))].length;
  const indices = [start, at < 0 ? start : start + [...url].length];
  const plainSizes = Object.fromEntries(
    Object.entries(sizes).map(([name, { w, h, resize }]) => [name, { w, h, resize }]),
  );
  return { mediaUrl, mediaUrlHttps, url, displayUrl, expandedUrl, type, sizes: plainSizes, indices };
}

/** The absolute URL of a link: a bare host gets the scheme http. */
export function expandUrl(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `http://${url}`;
}

/** A picture of which only the http(s) address is known. It is never fetched, so its sizes are unknown. */
export function mediumAt(url: string): Media {
  const isSecure = /^https:/i.test(url);
  return create(MediaSchema, {
    mediaUrl: url,
    mediaUrlHttps: isSecure ? url : "",
    url,
    displayUrl: displayUrl(url),
    expandedUrl: url,
    type: "photo",
  });
}

/** In code points, the ellipsis included. Twitter's own display_urls show this length. */
const longestPath = 16;

/**
 * The short form of a link, as Twitter wrote it: without scheme and leading "www.", with the whole host, and of path and query 15
 * code points and an ellipsis when they have more than 16. A path of "/" alone is left out.
 */
export function displayUrl(url: string): string {
  const shown = url.replace(/^https?:\/\//i, "").replace(/^www\./i, "");
  const pathStart = shown.search(/[/?#]/);
  if (pathStart < 0) return shown;
  return shown.slice(0, pathStart) + shortPath(shown.slice(pathStart));
}

function shortPath(path: string): string {
  if (path === "/") return "";
  const points = [...path];
  return points.length > longestPath ? `${points.slice(0, longestPath - 1).join("")}…` : path;
}
