import { type BadField, badField } from "../../platform/errors.ts";
import { isLongerThan } from "./code-points.ts";

/**
 * Checks where a person wants to go after registration: a path, or an http(s) URL, never something that a browser
 * would read as another place than it looks (contract §6, §9). `origins` narrows URLs to those listed.
 */
export function checkContinue(target: string, origins: readonly string[] | undefined): BadField | undefined {
  const isShort = !isLongerThan(target, 2_048);
  const fits = isShort && !misleading.test(target) && (isPath(target) || isAllowedUrl(target, origins));
  return fits ? undefined : badField("continue", "InvalidUrl", "'Continue' is not a valid URL.");
}

// Blanks, controls and backslashes: browsers drop or rewrite them before they decide on the host.
const misleading = /[\s\u0000-\u001f\u007f-\u009f\\]/u;

function isPath(target: string): boolean {
  return target.startsWith("/") && !target.startsWith("//");
}

function isAllowedUrl(target: string, origins: readonly string[] | undefined): boolean {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return false;
  const url = new URL(target);
  const named = target.slice(target.indexOf("//") + 2).split(/[/?#]/, 1)[0] ?? "";
  return named !== "" && !named.includes("@") && (origins === undefined || origins.includes(url.origin));
}
