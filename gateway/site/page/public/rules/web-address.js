/**
 * The address of a picture: of the page's own host as it is, of others over https, since the Content-Security-Policy takes no
 * http. @param {string | undefined} address
 */
export function pictureAddress(address) {
  const href = webAddress(address);
  return href === undefined || new URL(href).origin === location.origin ? href : href.replace(/^http:/, "https:");
}

/** An http or https address in normal form; undefined for anything else, such as `javascript:`. @param {string | undefined} address */
export function webAddress(address) {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
