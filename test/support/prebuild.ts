import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { mended } from "./mend-uvu.ts";

const project = join(import.meta.dirname, "../..");

/** Files that are started as a process, or imported by a computed path. */
const entryPoints = /(_pb|\.test|\/main|\/migrations\/\d\w+|support\/run-files|churn\/worker)\.ts$/;

export interface Prebuilt {
  /** Options with which Node runs a TypeScript file of ours; processes that it starts inherit them. */
  nodeOptions: string[];
  remove(): void;
}

/**
 * Compiles and bundles everything that a test run executes, once. A process then starts in half of the processor time that it
 * needs with tsx, and a run starts more than a hundred. Modules keep the paths of their sources (`import.meta`).
 * @param root the folder of the sources; they import only packages from elsewhere
 */
export async function prebuild(root = project): Promise<Prebuilt> {
  // A place where Node finds the packages, and where no tool looks for sources.
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "prebuilt-"));
  // Some tests start processes as another user.
  chmodSync(folder, 0o755);
  await build({
    absWorkingDir: root,
    entryPoints: sources(root).filter((file) => entryPoints.test(file)),
    outdir: folder,
    outbase: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    define: { "process.env.PREBUILT": '"1"' },
    // Bundled CommonJS packages call `require`. As a global, since modules may have a `require` of their own.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; globalThis.require ??= makeRequire(import.meta.url);',
    },
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "linked",
    plugins: [externalPackages, keepPaths(root, folder)],
  });
  const runPrebuilt = join(folder, "run-prebuilt.cjs");
  copyFileSync(join(import.meta.dirname, "run-prebuilt.cjs"), runPrebuilt);
  writeFileSync(join(folder, "root.json"), JSON.stringify({ root }));
  return {
    nodeOptions: ["--require", runPrebuilt],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function sources(root: string): string[] {
  const folders = ["proto", "services", "gateway", "cli", "bench", "test"].filter((name) =>
    existsSync(join(root, name)),
  );
  return folders.flatMap((folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
  });
}

/** Packages that are bundled: loading their hundreds of files takes longer than all of ours. */
const bundled =
  /^(@?redis|uvu|fastify|@connectrpc|@bufbuild\/protobuf|pino|pg|ioredis|graphile-worker|node-pg-migrate|lru-cache|p-limit|prom-client)\b/;
/** Packages that these use but may not need, or that a process may have only once. */
const apart = /^(pg-native|typescript|@opentelemetry)\b/;

/** Leaves all other packages where they are: some read files of their own or have native code. */
const externalPackages: Plugin = {
  name: "external-packages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const isBundled = importer.includes("/node_modules/") ? !apart.test(path) : bundled.test(path);
      return kind === "entry-point" || isBundled ? undefined : { path, external: true };
    });
    onLoad({ filter: /\/uvu\/dist\/index\.mjs$/ }, ({ path }) => ({ contents: mended(readFileSync(path, "utf8")) }));
  },
};

/** Gives each module the path of its source, and resolves imports by a computed path to the prebuilt files. */
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
