/**
 * The address of a picture: of the page's own host only below `/pictures/`, where nothing acts; of others over https, since the
 * Content-Security-Policy takes no http. The sample data's pictures have only a path, so they are on the host that is asked.
 * @param {string | undefined} address
 */
export function pictureAddress(address) {
  const href = webAddress(address?.startsWith("/pictures/") ? `${location.origin}${address}` : address);
  if (href === undefined) return undefined;
  const { origin, pathname } = new URL(href);
  if (origin === location.origin) return pathname.startsWith("/pictures/") ? href : undefined;
  return href.replace(/^http:/, "https:");
}

/** An http or https address in normal form; undefined for anything else, such as `javascript:`. @param {string | undefined} address */
export function webAddress(address) {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
