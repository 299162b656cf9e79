import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { BuildOptions } from "esbuild";

export interface CompilePlan {
  /** The folder of the sources; they import only packages from elsewhere. */
  root: string;
  /** Where the compiled files go: below `root`, so that Node finds the packages from there. */
  folder: string;
  /** The folders of `root` whose files are compiled, with those that they import, where `isCompiled` says so of their path from `root`. */
  folders: readonly string[];
  isCompiled: (path: string) => boolean;
  /** Whether the text is minified: a process has the text of its modules in memory. */
  isShort?: boolean;
  /** Further options of esbuild. */
  options?: Pick<BuildOptions, "define" | "sourcemap" | "plugins">;
}

/** Whether a file is started as a process, or imported by a computed path. */
export function isStarted(path: string): boolean {
  return /(\/main|\/migrations\/\d\w+|baselines\/(node-http|monolith))\.ts$/.test(path);
}

/** The files to compile, from the root. */
export function entryPointsOf({ root, folders, isCompiled }: CompilePlan): string[] {
  return folders.flatMap((name) => typeScriptIn(root, name)).filter(isCompiled);
}

function typeScriptIn(root: string, folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}

/** What files were compiled from. */
interface Note {
  root: string;
  entryPoints: readonly string[];
  /** All files that were read, those of packages too, from the root. */
  inputs: readonly string[];
  /** When reading began, in milliseconds since 1970. */
  since: number;
}

/** Whether the files of this plan are compiled, from sources and packages as they are now. */
export function isCurrent(plan: CompilePlan): boolean {
  try {
    const { root, entryPoints, inputs, since } = JSON.parse(readFileSync(noteIn(plan), "utf8")) as Note;
    const compiled = new Set(entryPoints);
    return (
      root === plan.root &&
      entryPointsOf(plan).every((path) => compiled.has(path)) &&
      // The time of the last change: copies and package managers set the time of modification back.
      inputs.every((path) => statSync(join(root, path)).ctimeMs < since)
    );
  } catch {
    return false;
  }
}

/** Notes what was compiled, for isCurrent. @param from `inputs` without the files of this folder */
export function noteCompiled(plan: CompilePlan, from: Omit<Note, "root">): void {
  // This folder as well: with other options the files would be others.
  const inputs = [...from.inputs, ...typeScriptIn(plan.root, relative(plan.root, import.meta.dirname))].filter((path) =>
    existsSync(join(plan.root, path)),
  );
  const note: Note = { ...from, root: plan.root, inputs };
  writeFileSync(noteIn(plan), JSON.stringify(note));
}

function noteIn({ folder }: CompilePlan): string {
  return join(folder, "compiled-from.json");
}
