import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";

const Citations = suite("docs: citations");
const root = join(import.meta.dirname, "../..");
const pages = { contract: "docs/contract.md", design: "docs/design.md" } as const;

/** Every text file of the project that can cite something. */
const files = listFiles().filter(
  (file) => file !== "test/docs/citations.test.ts" && /\.(?:ts|js|md|proto|sql|cases|yml|html|css)$/.test(file),
);

Citations("of the contract and the design name an existing section or rule", () => {
  const known = { contract: placesOf(pages.contract), design: placesOf(pages.design) };
  const found: string[] = [];
  const broken: string[] = [];
  for (const file of files) {
    for (const [text, page, section] of read(file).matchAll(citation)) {
      found.push(text);
      if (!known[(page as string).toLowerCase() as keyof typeof known].has(section as string)) {
        broken.push(`${file}: ${text}`);
      }
    }
  }
  assert.equal(broken, []);
  assert.ok(found.length > 60, `${found.length}`);
});

Citations("by a path name an existing file", () => {
  const broken = files.flatMap((file) => pathsIn(file).filter((path) => !existsSync(join(root, path))));
  assert.equal(broken, []);
});

Citations("of unknown sections are detected", () => {
  const [, page, section] = [..."see contract §99.1".matchAll(citation)][0] as unknown as string[];
  assert.equal([page, section], ["contract", "99.1"]);
  assert.not.ok(placesOf(pages.contract).has("99.1"));
  assert.ok(placesOf(pages.contract).has("2.4") && placesOf(pages.design).has("5"));
});

Citations.run();

/** `contract §2.4`, `design §5`. */
const citation = /\b(contract|design) §(\d+(?:\.\d+)?)/gi;

/** The sections and the numbered rules of a page. */
function placesOf(page: string): Set<string> {
  const text = read(page);
  const sections = [...text.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number as string);
  const rules = [...text.matchAll(/^- \*\*(\d+\.\d+)\*\* /gm)].map(([, number]) => number as string);
  return new Set([...sections, ...rules]);
}

/** The files that a file links to (Markdown) or names as `docs/….md`, relative to the project's root. */
function pathsIn(file: string): string[] {
  const text = read(file);
  const named = [...text.matchAll(/\bdocs\/(?:decisions\/)?[\w-]+\.md\b/g)].map(([path]) => path);
  if (!file.endsWith(".md")) return named;
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)/g)].map(([, path]) => path as string);
  return [...named.filter((path) => path.startsWith("docs/")), ...links.map((path) => join(dirname(file), path))];
}

function listFiles(): string[] {
  const output = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  return output
    .toString()
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(root, file)));
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
