import { isLongerThan } from "./code-points.ts";

/**
 * Whether a text is a path or an http(s) URL, of at most 2,048 characters, whose target in a browser is what the text shows
 * (contract §6).
 */
export function isLink(text: string): boolean {
  return isPlain(text) && (isPath(text) || isWebUrl(text));
}

/** Whether a text is such a URL. */
export function isUrl(text: string): boolean {
  return isPlain(text) && isWebUrl(text);
}

function isPlain(text: string): boolean {
  return !isLongerThan(text, 2_048) && !misleading.test(text);
}

// Blanks, controls and backslashes: browsers drop or rewrite them before they determine the host.
const misleading = /[\s\u0000-\u001f\u007f-\u009f\\]/u;

function isPath(text: string): boolean {
  return text.startsWith("/") && !text.startsWith("//");
}

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const authority = text.slice(text.indexOf("//") + 2).split(/[/?#]/, 1)[0] ?? "";
  return authority !== "" && !authority.includes("@");
}
