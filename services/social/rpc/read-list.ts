import type { HandlerContext } from "@connectrpc/connect";
import { viewerOf } from "../../platform/connect/identity.ts";
import type { SocialContext } from "../context.ts";

/** @param viewer undefined for an anonymous caller; `header` is that of the reply */
type ReadList<T> = (viewer: bigint | undefined, header: Headers) => Promise<T>;

/** Reads a list when its turn has come. */
export function readList<T>(ctx: SocialContext, call: HandlerContext, read: ReadList<T>): Promise<T> {
  const viewer = viewerOf(call.requestHeader);
  return readInTurn(ctx, viewer, call.signal, () => read(viewer, call.responseHeader));
}

/** Reads when the viewer's turn has come (SocialContext.listReads, viewerLists), unless the caller has disconnected by then. */
export function readInTurn<T>(
  { listReads, viewerLists }: SocialContext,
  viewer: bigint | undefined,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T> {
  return viewerLists.run(viewer?.toString() ?? "", () => listReads.run(read, signal));
}

/** The same for viewers only: the gateway limits the reads of anonymous callers, which it asks for in batches. */
export function readViewersList<T>(ctx: SocialContext, call: HandlerContext, read: ReadList<T>): Promise<T> {
  return viewerOf(call.requestHeader) === undefined ? read(undefined, call.responseHeader) : readList(ctx, call, read);
}
