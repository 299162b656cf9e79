import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { compile } from "../../compile/compile.ts";
import { isStarted } from "../../compile/plan.ts";

const root = join(import.meta.dirname, "../..");

/** Compiles everything that a run of these tests executes, once: a run of all starts more than a hundred processes. */
export async function prebuild(tests: readonly string[]) {
  // A place where Node finds the packages, and where no tool looks for sources.
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "prebuilt-"));
  // Some tests start processes as another user.
  chmodSync(folder, 0o755);
  const folders = ["proto", "services", "gateway", "cli", "compile", "bench", "test"];
  const wanted = new Set(tests.map((path) => relative(root, path)));
  const options = { define: { "process.env.PREBUILT": JSON.stringify(folder) }, sourcemap: "linked" as const };
  return {
    /** Options with which Node runs a TypeScript file of ours; processes that it starts inherit them. */
    nodeOptions: await compile({
      root,
      folder,
      folders,
      isCompiled: (path) => wanted.has(path) || isStarted(path) || /(_pb|support\/run-files)\.ts$/.test(path),
      options,
    }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
