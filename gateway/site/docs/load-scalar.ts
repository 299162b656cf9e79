import Fastify from "fastify";
import { type Asset, makeAsset } from "../../http/replies/asset.ts";

/**
 * Scalar's script. The package is loaded when it is first asked for: it takes a fifth of a second and 35 MB that most
 * gateways never need. It hands its script out through a plugin only, so a server that never listens asks it.
 */
export function loadScalar(): Promise<Asset> {
  loading ??= load().catch((error: unknown) => {
    // The next one tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

let loading: Promise<Asset> | undefined;

async function load(): Promise<Asset> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const server = Fastify();
  try {
    await server.register(scalar, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
    const { statusCode, body } = await server.inject("/docs/js/scalar.js");
    if (statusCode !== 200) throw new Error(`Scalar's plugin answered ${statusCode} for its script`);
    return makeAsset("text/javascript; charset=utf-8", body);
  } finally {
    await server.close();
  }
}
