import { readFile } from "node:fs/promises";
import { type Asset, makeAsset } from "../../http/replies/asset.ts";

/** Scalar's script for browsers, 3 MB, read when it is first asked for: most gateways never need it. */
export function loadScalar(): Promise<Asset> {
  loading ??= load().catch((error: unknown) => {
    // The next request tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

let loading: Promise<Asset> | undefined;

async function load(): Promise<Asset> {
  // The file beside the package's main one that its plugin serves.
  const file = new URL("js/standalone.js", import.meta.resolve("@scalar/fastify-api-reference"));
  return makeAsset("text/javascript; charset=utf-8", await readFile(file, "utf8"));
}
