/** Whether a text has the form of an Origin header; any other form would never match one. Apps have schemes of their own. */
export function isOrigin(text: string): boolean {
  if (/^https?:/i.test(text)) return URL.canParse(text) && new URL(text).origin === text;
  return /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+$/.test(text);
}

/** Whether a text is a URL with one of these schemes that the clients of such servers can read. */
export function isUrlOf(schemes: readonly string[], text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  return schemes.includes(scheme) && (!scheme.startsWith("redis") || isRedisUrl(url));
}

/** These clients decode user and password, read the path as the number of a database, and connect to this machine without a host. */
function isRedisUrl({ username, password, hostname, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return hostname !== "" && /^\/?\d*$/.test(pathname);
}
