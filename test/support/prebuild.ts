import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { mended } from "./mend-uvu.ts";

const root = join(import.meta.dirname, "../..");

/** Files that are started, or imported by a computed path. */
const entryPoints =
  /(_pb|\.test|\/main|\/migrations\/\d\w+|support\/run-files|faults\/clock-step|system\/loaded-modules)\.ts$/;

export interface Prebuilt {
  /** Options with which Node runs a TypeScript file of ours, and each process that inherits them does as well. */
  nodeOptions: string[];
  remove(): void;
}

/**
 * Compiles and bundles all that a test run executes, once: a process then starts with half of the processor time that it takes
 * with tsx, and a run starts more than a hundred. Modules keep the paths of their sources (`import.meta`).
 */
export async function prebuild(): Promise<Prebuilt> {
  // Where Node finds the packages, and where no tool looks for sources.
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "prebuilt-"));
  // Some tests start processes as another user.
  chmodSync(folder, 0o755);
  await build({
    absWorkingDir: root,
    entryPoints: ["proto", "services", "gateway", "cli", "bench", "test"]
      .flatMap(sources)
      .filter((file) => entryPoints.test(file)),
    outdir: folder,
    outbase: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    define: { "process.env.PREBUILT": '"1"' },
    // Packages of CommonJS that are bundled call it. As a global, since modules may have a `require` of their own.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; globalThis.require ??= makeRequire(import.meta.url);',
    },
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "linked",
    plugins: [externalPackages, keepPaths(folder)],
  });
  const runPrebuilt = join(folder, "run-prebuilt.cjs");
  copyFileSync(join(import.meta.dirname, "run-prebuilt.cjs"), runPrebuilt);
  return {
    nodeOptions: ["--enable-source-maps", "--require", runPrebuilt],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function sources(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}

/** Leaves packages where they are, but for redis, whose three hundred files take longer to load than all of ours, and uvu. */
const externalPackages: Plugin = {
  name: "external-packages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "entry-point" || /^(@?redis|uvu)\b/.test(path) ? undefined : { path, external: true },
    );
    onLoad({ filter: /\/uvu\/dist\/index\.mjs$/ }, ({ path }) => ({ contents: mended(readFileSync(path, "utf8")) }));
  },
};

/** Lets a module see the path of its source, and find what it imports by a computed path among the prebuilt files. */
function keepPaths(folder: string): Plugin {
  return {
    name: "keep-paths",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => ({
        loader: "ts",
        contents: readFileSync(path, "utf8")
          .replaceAll(
            "import(pathToFileURL(path).href)",
            `import(path.replace(${JSON.stringify(root)}, ${JSON.stringify(folder)}).replace(/ts$/, "mjs"))`,
          )
          .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
          .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
      }));
    },
  };
}
