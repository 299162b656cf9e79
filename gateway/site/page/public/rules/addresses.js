/**
 * The address of a picture: the page's own host as it is, all others over https, since the policy takes no http and most
 * hosts answer on both. @param {string | undefined} address
 */
export function pictureAddress(address) {
  const href = webAddress(address);
  return href === undefined || new URL(href).origin === location.origin ? href : href.replace(/^http:/, "https:");
}

/** An address of the web as a browser reads it; undefined for all others, `javascript:` above all. @param {string | undefined} address */
export function webAddress(address) {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
