import type { Message } from "@bufbuild/protobuf";
import type { FastifyRequest } from "fastify";
import type { FastPath } from "../http/fast-path/fast-path.ts";
import { isBare } from "../http/fast-path/served-targets.ts";
import type { ReplyLoaders } from "../http/replies/reply-loaders.ts";
import { jsonpTarget } from "../http/requests/jsonp-target.ts";
import { bodyOf } from "../http/requests/read-body.ts";
import { isShortPost, typedBody } from "../http/requests/short-post.ts";
import type { Operation } from "./operation-table.ts";
import type { OperationParts } from "./run-operation.ts";

/** Lets the fast path answer the next batch of the same body, where its pages are in this process. */
export function addBatchToFastPath(
  { fastPath, cached }: Pick<OperationParts, "fastPath" | "cached">,
  { name, isStorable }: Operation,
  request: FastifyRequest,
  inputs: readonly Message[],
): void {
  const body = isStorable ? shortBody(request) : undefined;
  const loaders = body && cached.reads.get(name)?.batch?.whole(inputs, body);
  if (body === undefined || loaders === undefined) return;
  fastPath.addTarget(request.originalUrl, name, loaders, typedBody(request.headers, body));
}

/** Lets the fast path answer the next GET of the same target, under any callback, or the next POST with the same body. */
export function addToFastPath(
  fastPath: FastPath,
  { name, isStorable }: Operation,
  request: FastifyRequest,
  loaders: ReplyLoaders,
): void {
  if (!isStorable) return;
  const { context, originalUrl, raw } = request;
  if (raw.method === "GET" && isBare(raw)) {
    const target = context.callback === undefined ? originalUrl : jsonpTarget(originalUrl)?.target;
    if (target !== undefined) fastPath.addTarget(target, name, loaders);
    return;
  }
  const body = shortBody(request);
  if (body !== undefined) fastPath.addTarget(originalUrl, name, loaders, typedBody(raw.headers, body));
}

/** The body of a POST that the fast path can serve; undefined for other requests, and for JSONP. */
function shortBody({ context, raw }: FastifyRequest): Buffer | undefined {
  return context.callback === undefined && isShortPost(raw) ? bodyOf(raw) : undefined;
}
