import { readFileSync } from "node:fs";

/**
 * A module of another author that the page uses, as its package has it, read when it is first asked for. A browser knows
 * no packages: where a module imports one by name, the name becomes the path under which we serve it.
 */
export function loadLibrary(name: keyof typeof libraries): string {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(libraries[name]()), "utf8");
  // Nothing is served where the map would be.
  const served = text.replace(/from"preact"/g, 'from"./preact.js"').replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
  loaded.set(name, served);
  return served;
}

const loaded = new Map<string, string>();

/** Where the packages have them. */
export const libraries = {
  "preact.js": () => import.meta.resolve("preact"),
  "hooks.js": () => import.meta.resolve("preact/hooks"),
  "htm.js": () => import.meta.resolve("htm"),
} as const;
