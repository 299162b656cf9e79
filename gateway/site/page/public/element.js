/**
 * Makes an element. Texts become text nodes, so nothing that is shown is ever read as markup; undefined is left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | undefined>} attributes
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** The heading of a view, which takes the focus when the view appears. @param {...(Node | string)} children */
export function heading(...children) {
  return element("h1", { tabindex: "-1" }, ...children);
}

/**
 * Text that a user wrote, in its own direction, and in the language that the data names.
 * @param {keyof HTMLElementTagNameMap} tag @param {string} className @param {string | undefined} lang
 * @param {...(Node | string)} children
 */
export function written(tag, className, lang, ...children) {
  const known = lang !== undefined && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(lang) ? lang : undefined;
  return element(tag, { class: className, dir: "auto", lang: known }, ...children);
}

/** A link to somewhere else, or its bare text where the address is not http or https. @param {string} address @param {string} text */
export function outsideLink(address, text) {
  const href = webAddress(address);
  return href === undefined ? text : element("a", { href, rel: "noopener noreferrer nofollow ugc", dir: "auto" }, text);
}

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
