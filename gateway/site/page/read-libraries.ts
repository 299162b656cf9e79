import { readFileSync } from "node:fs";

/**
 * The third-party modules of the page, unchanged from their packages, by the names under which we serve them. Browsers cannot resolve
 * package names, so imports by package name are replaced by these names.
 */
export function readLibraries(): [name: string, text: string][] {
  return libraries.map(([name, find]) => {
    const text = readFileSync(new URL(find()), "utf8");
    // We serve no source maps.
    return [name, text.replace(/from"preact"/g, 'from"./preact.js"').replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")];
  });
}

const libraries = [
  ["lib/preact.js", () => import.meta.resolve("preact")],
  ["lib/hooks.js", () => import.meta.resolve("preact/hooks")],
  ["lib/htm.js", () => import.meta.resolve("htm")],
] as const;
