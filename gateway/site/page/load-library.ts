import { readFileSync } from "node:fs";

/**
 * A third-party module of the page, as its package has it, read on first use. Browsers have no packages, so an import by package
 * name becomes the path under which we serve that module.
 */
export function loadLibrary(name: keyof typeof libraries): string {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(libraries[name]()), "utf8");
  // We serve no source maps.
  const served = text.replace(/from"preact"/g, 'from"./preact.js"').replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
  loaded.set(name, served);
  return served;
}

const loaded = new Map<string, string>();

/** The file of each module, resolved on first use. */
export const libraries = {
  "preact.js": () => import.meta.resolve("preact"),
  "hooks.js": () => import.meta.resolve("preact/hooks"),
  "htm.js": () => import.meta.resolve("htm"),
} as const;
