import { viewerStateHeader } from "../../../platform/connect/identity.ts";
import { viewerToken } from "../../views/freshness-token.ts";

/**
 * Says in a reply's headers in what state the viewer was when its rows were read, so that the reply can be cached under it. Says
 * nothing when they were read in several.
 */
export function tellViewerState(
  header: Headers,
  viewer: bigint | undefined,
  rows: readonly Parameters<typeof viewerToken>[1][],
): void {
  if (viewer === undefined) return;
  const [token, ...others] = new Set(rows.map((row) => viewerToken(viewer, row)));
  if (token !== undefined && others.length === 0) header.set(viewerStateHeader, token);
}
