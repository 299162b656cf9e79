/**
 * The layers of the gateway, the top one first: what a file imports lies on its own layer or further down, types included.
 * A layer is a file, or a folder without the layers in it that are listed here by themselves.
 */
export const gatewayLayers = [
  "gateway/main.ts",
  "gateway/server.ts",
  "gateway/clients.ts",
  "gateway/app.ts",
  "gateway/config.ts",
  "gateway/metrics.ts",
  "gateway/health/",
  "gateway/site/",
  "gateway/site/page/",
  "gateway/site/docs/",
  "gateway/site/metadata/",
  "gateway/site/openapi/",
  "gateway/site/comments/",
  "gateway/live/",
  "gateway/operations/",
  "gateway/reads/",
  "gateway/calls/",
  "gateway/sessions/",
  "gateway/binding/",
  "gateway/http/",
  "gateway/http/sockets/",
  "gateway/http/replies/",
  "gateway/http/log/",
  "gateway/http/requests/",
  "gateway/http/load/",
  "gateway/http/errors/",
  "gateway/http/limits/",
  "gateway/rendering/",
] as const;

/** The number of a file's layer, 0 at the top; -1 for a file on none. */
export function layerOf(file: string): number {
  const layers: readonly string[] = gatewayLayers;
  const [longest = ""] = layers
    .filter((layer) => (layer.endsWith("/") ? file.startsWith(layer) : file === layer))
    .toSorted((a, b) => b.length - a.length);
  return layers.indexOf(longest);
}

/** Whether a file of the gateway may import another one. */
export function leadsDown(from: string, to: string): boolean {
  const [start, end] = [layerOf(from), layerOf(to)];
  return start !== -1 && end !== -1 && start <= end;
}
