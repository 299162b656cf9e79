import type { HandlerContext } from "@connectrpc/connect";
import { shownUsersHeader, viewerOf, viewerVersionHeader } from "../../platform/connect/identity.ts";
import type { SocialContext } from "../context.ts";
import type { ProfileRelation } from "../store/rows.ts";
import { viewerVersionOf } from "../views/version.ts";

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

/**
 * Sets the headers of a reply with the viewer's version at the read, so that the reply can be cached under it, and with the users on
 * whose relation to the viewer it depends. It sets none where the rows were read in several versions.
 * @param userIds all users whose relation to the viewer was read; undefined for a reply that is not cached
 */
export function setViewerVersion(
  header: Headers,
  viewer: bigint | undefined,
  rows: readonly Pick<ProfileRelation, "viewer_version" | "viewer_epoch" | "is_one_read">[],
  userIds?: readonly bigint[],
): void {
  if (viewer === undefined) return;
  const versions = new Set(rows.map((row) => viewerVersionOf(viewer, row)));
  const [version] = versions;
  // Without a version the viewer has no profile, or had none in one of the reads.
  if (version === undefined || versions.size > 1 || !rows.every((row) => row.is_one_read)) return;
  header.set(viewerVersionHeader, version);
  if (userIds === undefined) return;
  const shown = [...new Set(userIds)];
  if (shown.length <= maxShown) header.set(shownUsersHeader, shown.join(","));
}

/** Ids have up to 16 digits, and Node reads at most 16 KB of headers. */
const maxShown = 250;
