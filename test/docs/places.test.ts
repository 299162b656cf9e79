import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";

const Tasks = suite("docs: tasks in CONTRIBUTING.md");
const root = join(import.meta.dirname, "../..");
const rows = readRows(readFileSync(join(root, "CONTRIBUTING.md"), "utf8"));

Tasks("are at least twenty, each listed once", () => {
  assert.ok(rows.length >= 20, `${rows.length}`);
  assert.is(new Set(rows.map(({ task }) => task)).size, rows.length);
});

Tasks("name one existing, tracked file each", () => {
  const tracked = new Set(execFileSync("git", ["ls-files"], { cwd: root }).toString().split("\n"));
  const isThere = (file: string) => tracked.has(file) && existsSync(join(root, file));
  assert.equal(
    rows.filter(({ files }) => files.length !== 1 || !files.every(isThere)),
    [],
  );
});

Tasks.run();

/** The rows of the table with the heading "I want to". */
function readRows(text: string): { task: string; files: string[] }[] {
  const [, table = ""] = /^\| I want to \| Go to \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return [...table.matchAll(/^\| (.+) \| (.+) \|$/gm)].map(([, task = "", places = ""]) => ({
    task,
    files: places.split(", ").map((place) => place.replace(/^`(.+)`$/, "$1")),
  }));
}
