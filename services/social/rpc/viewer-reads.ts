import type { HandlerContext } from "@connectrpc/connect";
import { shownUsersHeader, viewerOf, viewerVersionHeader } from "../../platform/connect/identity.ts";
import type { SocialContext } from "../context.ts";
import type { ProfileRelation } from "../store/rows.ts";
import { viewerVersionOf } from "../views/version.ts";

/** @param viewer undefined for an anonymous caller; `header` is that of the reply */
type ReadList<T> = (viewer: bigint | undefined, header: Headers) => Promise<T>;

/** Reads a list when the viewer's turn has come (SocialContext.listReads, viewerLists), unless the caller has disconnected by then. */
export function readList<T>(
  { listReads, viewerLists }: SocialContext,
  { requestHeader, responseHeader, signal }: HandlerContext,
  read: ReadList<T>,
): Promise<T> {
  const viewer = viewerOf(requestHeader);
  const readNow = () => read(viewer, responseHeader);
  return viewerLists.run(viewer?.toString() ?? "", () => listReads.run(readNow, signal));
}

/** The same for viewers only: the gateway limits the reads of anonymous callers, which it asks for in groups. */
export function readViewersList<T>(ctx: SocialContext, call: HandlerContext, read: ReadList<T>): Promise<T> {
  return viewerOf(call.requestHeader) === undefined ? read(undefined, call.responseHeader) : readList(ctx, call, read);
}

/** In which version of the viewer a reply was read, and the users on whose relation to the viewer it depends. */
interface ViewerState {
  version: string;
  /** Ids, joined by commas; undefined for a reply that is not cached, and where there are too many for a header. */
  shownUsers: string | undefined;
}

/**
 * The state of the viewer that a reply shows, so that the reply can be cached under it. Undefined for anonymous callers, and where the rows
 * were read in several versions.
 * @param userIds all users whose relation to the viewer was read; undefined for a reply that is not cached
 */
export function viewerStateOf(
  viewer: bigint | undefined,
  rows: readonly Pick<ProfileRelation, "viewer_version" | "viewer_epoch" | "is_one_read">[],
  userIds?: readonly bigint[],
): ViewerState | undefined {
  if (viewer === undefined) return undefined;
  const versions = new Set(rows.map((row) => viewerVersionOf(viewer, row)));
  const [version] = versions;
  // Without a version the viewer has no profile, or had none in one of the reads.
  if (version === undefined || versions.size > 1 || !rows.every((row) => row.is_one_read)) return undefined;
  const shown = new Set(userIds);
  const isListed = userIds !== undefined && shown.size <= maxShown;
  return { version, shownUsers: isListed ? [...shown].join(",") : undefined };
}

/** Ids have up to 16 digits, and Node reads at most 16 KB of headers. */
const maxShown = 250;

/** Says the state in the headers of a reply. */
export function setViewerState(header: Headers, state: ViewerState | undefined): void {
  if (state === undefined) return;
  header.set(viewerVersionHeader, state.version);
  if (state.shownUsers !== undefined) header.set(shownUsersHeader, state.shownUsers);
}
