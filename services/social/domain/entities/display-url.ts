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
