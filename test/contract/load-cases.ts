import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CaseFile, parseCaseFile } from "./case-file.ts";

/** The cases of one topic. */
export interface Topic extends CaseFile {
  /** The section of the contract: `1 routes`. */
  section: string;
  name: string;
}

/** All cases, in the order of the contract's sections. Throws Error with file and line of a syntax error. */
export function loadCases(folder = join(import.meta.dirname, "cases")): Topic[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".cases"));
  return names
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || a.localeCompare(b))
    .map((file) => {
      const [section = "", name = ""] = file.replace(/\.cases$/, "").split(/[\\/]/);
      try {
        return {
          section: section.replaceAll("-", " "),
          name,
          ...parseCaseFile(readFileSync(join(folder, file), "utf8")),
        };
      } catch (error) {
        throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
}
