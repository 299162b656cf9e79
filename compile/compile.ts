import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { type CompilePlan, entryPointsOf, noteCompiled } from "./plan.ts";

/**
 * Compiles and bundles files. A process then starts in half of the processor time that it needs with tsx, and takes less memory
 * (docs/decisions/dependencies.md). Modules keep the paths of their sources (`import.meta`).
 * @returns options with which Node runs a TypeScript file of ours; processes that it starts inherit them
 */
export async function compile(plan: CompilePlan): Promise<string[]> {
  const { root, folder, isShort, options } = plan;
  const since = Date.now();
  const entryPoints = entryPointsOf(plan);
  const { outputFiles, metafile } = await build({
    bundle: true,
    metafile: true,
    // Packages that only some systems use, such as OpenTelemetry, are loaded where they are imported, not at the start.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Bundled CommonJS packages call `require`. As a global, since modules may have a `require` of their own.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; globalThis.require ??= makeRequire(import.meta.url);',
    },
    // The package has modules for search, time series and more, which no process uses.
    alias: { redis: "@redis/client" },
    // Lines, since Node prints the line of an error that ends a process.
    ...(isShort && { minifyWhitespace: true, legalComments: "none", lineLimit: 120 }),
    ...options,
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    outbase: root,
    outExtension: { ".js": ".mjs" },
    plugins: [externalPackages, keepPaths(root, folder), ...(options?.plugins ?? [])],
    write: false,
  });
  for (const { path, text } of outputFiles) replace(path, isShort ? inAscii(text) : text);
  removeOld(folder);
  const runCompiled = join(folder, "run-compiled.cjs");
  replace(runCompiled, readFileSync(join(import.meta.dirname, "run-compiled.cjs"), "utf8"));
  replace(join(folder, "root.json"), JSON.stringify({ root }));
  noteCompiled(plan, { entryPoints, inputs: Object.keys(metafile.inputs), since });
  return ["--require", runCompiled];
}

/** One letter beyond Latin-1 doubles the memory of a text. esbuild leaves them in regular expressions and tagged templates. */
function inAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Writes a file atomically: a process that starts meanwhile reads the old one or the new one. */
function replace(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

/** Removes the parts of earlier versions. A process that started a moment ago may still load them. */
function removeOld(folder: string): void {
  const yesterday = Date.now() - 24 * 3_600_000;
  for (const path of readdirSync(folder).map((name) => join(folder, name))) {
    if (path.endsWith(".mjs") && statSync(path).mtimeMs < yesterday) rmSync(path);
  }
}

/** Packages that are bundled: loading their hundreds of files takes longer than all of ours. */
const bundled =
  /^(@?redis|uvu|fastify|@connectrpc|@bufbuild\/protobuf|pino|pg|ioredis|graphile-worker|node-pg-migrate|lru-cache|p-limit|prom-client)\b/;
/** Packages that these use but may not need, or that a process may have only once. */
const apart = /^(pg-native|typescript|@opentelemetry)\b/;

/** Leaves all other packages where they are: some read files of their own or have native code. */
const externalPackages: Plugin = {
  name: "external-packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const isBundled = importer.includes("/node_modules/") ? !apart.test(path) : bundled.test(path);
      return kind === "entry-point" || isBundled ? undefined : { path, external: true };
    });
  },
};

/** Gives each module the path of its source, and resolves imports by a computed path to the compiled files. */
function keepPaths(root: string, folder: string): Plugin {
  return {
    name: "keep-paths",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => ({
        loader: "ts",
        contents: readFileSync(path, "utf8")
          .replaceAll(
            /import\(pathToFileURL\(path\)\.href\)/g,
            `import(path.replace(${JSON.stringify(root)}, ${JSON.stringify(folder)}).replace(/ts$/, "mjs"))`,
          )
          .replaceAll(/import\.meta\.dirname/g, JSON.stringify(dirname(path)))
          .replaceAll(/import\.meta\.url/g, JSON.stringify(pathToFileURL(path).href)),
      }));
    },
  };
}
