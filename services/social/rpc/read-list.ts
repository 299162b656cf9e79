import type { HandlerContext } from "@connectrpc/connect";
import { viewerOf } from "../../platform/connect/identity.ts";
import type { SocialContext } from "../context.ts";

/** @param viewer undefined for an anonymous caller; `header` is that of the reply */
type ReadList<T> = (viewer: bigint | undefined, header: Headers) => Promise<T>;

/** Reads a list when its turn has come (SocialContext.listReads, viewerLists), unless its caller has disconnected by then. */
export function readList<T>(
  { listReads, viewerLists }: SocialContext,
  call: HandlerContext,
  read: ReadList<T>,
): Promise<T> {
  const viewer = viewerOf(call.requestHeader);
  const inTurn = () => listReads.run(() => read(viewer, call.responseHeader), call.signal);
  return viewerLists.run(viewer?.toString() ?? "", inTurn);
}

/** The same for viewers only: the gateway limits the reads of anonymous callers, which it asks for in batches. */
export function readViewersList<T>(ctx: SocialContext, call: HandlerContext, read: ReadList<T>): Promise<T> {
  return viewerOf(call.requestHeader) === undefined ? read(undefined, call.responseHeader) : readList(ctx, call, read);
}
