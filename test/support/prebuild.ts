import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { compile, startedFiles } from "../../compile/compile.ts";
import { patched } from "./patch-uvu.ts";

const project = join(import.meta.dirname, "../..");

const files = new RegExp(`${startedFiles.source}|(_pb|\\.test|support/run-files)\\.ts$`);

export interface Prebuilt {
  /** Options with which Node runs a TypeScript file of ours; processes that it starts inherit them. */
  nodeOptions: string[];
  remove(): void;
}

/**
 * Compiles everything that a test run executes, once: a run starts more than a hundred processes.
 * @param root the folder of the sources
 */
export async function prebuild(root = project): Promise<Prebuilt> {
  // A place where Node finds the packages, and where no tool looks for sources.
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "prebuilt-"));
  // Some tests start processes as another user.
  chmodSync(folder, 0o755);
  const folders = ["proto", "services", "gateway", "cli", "compile", "bench", "test"];
  const options = {
    splitting: true,
    define: { "process.env.PREBUILT": '"1"' },
    sourcemap: "linked" as const,
    plugins: [mendedUvu],
  };
  const present = folders.filter((name) => existsSync(join(root, name)));
  return {
    nodeOptions: [...(await compile({ root, folder, folders: present, files, options }))],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const mendedUvu: Plugin = {
  name: "patched-uvu",
  setup({ onLoad }) {
    onLoad({ filter: /\/uvu\/dist\/index\.mjs$/ }, ({ path }) => ({ contents: patched(readFileSync(path, "utf8")) }));
  },
};
