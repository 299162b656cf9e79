/**
 * The address of a picture: of the page's own host only below `/pictures/`, where nothing acts; of others over https, since the
 * Content-Security-Policy takes no http. The sample data's pictures have the address that the gateway had on its own machine when
 * they were loaded: they are taken from where the page is. @param {string | undefined} address
 */
export function pictureAddress(address) {
  const href = webAddress(address);
  if (href === undefined) return undefined;
  const { origin, hostname, protocol, pathname } = new URL(href);
  const isPicture = pathname.startsWith("/pictures/");
  if (origin === location.origin) return isPicture ? href : undefined;
  if (isPicture && protocol === "http:" && ownMachine.has(hostname)) return `${location.origin}${pathname}`;
  return href.replace(/^http:/, "https:");
}

const ownMachine = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** An http or https address in normal form; undefined for anything else, such as `javascript:`. @param {string | undefined} address */
export function webAddress(address) {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
