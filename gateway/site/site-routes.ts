import type { FastifyInstance } from "fastify";
import { addReadOnly } from "../http/read-only.ts";
import { type Asset, sendAsset } from "../http/replies/asset.ts";
import { sendJson } from "../http/replies/send.ts";
import { parsePairs } from "../http/requests/form-pairs.ts";
import { originOf, queryOf, segmentOf } from "../http/requests/request-target.ts";
import type { Operation } from "../operations/operation-table.ts";
import { pathShape } from "../operations/paths.ts";
import type { Pages } from "./pages.ts";

/**
 * Adds the pages that describe the operations. They are made of the descriptors when the first one is asked for, since they would
 * delay a start by a tenth of a second.
 * @throws Error at boot when an operation has a path that these pages would hide
 */
export function addSite(app: FastifyInstance, operations: readonly Operation[]): void {
  refuseHiddenPaths(operations);
  let loading: Promise<Pages> | undefined;
  const pages = () => {
    loading ??= import("./pages.ts").then(({ createPages }) => createPages(operations));
    return loading;
  };
  for (const [path, choose] of routes) {
    addReadOnly(app, path, async (request, reply) => {
      const asset = choose(await pages(), request.raw.url as string, originOf(request));
      // JSON can be requested by JSONP, like any reply (contract §4).
      const isScript = request.context.callback !== undefined && asset.type === "application/json";
      return isScript ? sendJson(request, reply, 200, asset.bytes) : sendAsset(request, reply, asset);
    });
  }
}

/** Where each page is. ServiceStack has the pages of operations at both of their paths. */
const routes: readonly [path: string, choose: (pages: Pages, target: string, origin: string) => Asset][] = [
  ["/openapi.json", (pages) => pages.openApi],
  ["/docs", (pages) => pages.docs],
  ["/metadata", (pages) => pages.metadata("")],
  ["/metadata/:operation", (pages, target) => pages.metadata(segmentOf(target, 2))],
  ["/json/metadata", (pages, target) => pages.metadata(operationAsked(target))],
  // A client of ServiceStack may look for the first one, and its tools for the others.
  ["/metadata.json", (pages) => pages.types("", "")],
  ["/types", (pages) => pages.types("", "")],
  ["/types/:language", (pages, target, origin) => pages.types(segmentOf(target, 2), origin)],
  ["/metadata/metadata.css", (pages) => pages.style],
  ["/metadata/try.js", (pages) => pages.script],
];

function operationAsked(target: string): string {
  return parsePairs(queryOf(target), { names: new Set(["op"]), clearable: new Set() })[0]?.[1] ?? "";
}

const own = /^\/(?:openapi\.json|docs|metadata|metadata\.json|types|livez|readyz)(?:\/|$)|^\/json\/metadata$/;

function refuseHiddenPaths(operations: readonly Operation[]): void {
  const hidden = operations.flatMap(({ paths }) => paths).find((path) => own.test(pathShape(path)));
  if (hidden !== undefined) throw new Error(`${hidden.template} is a path of the gateway's own pages`);
}
