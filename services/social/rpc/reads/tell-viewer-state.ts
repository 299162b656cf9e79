import { viewerStateHeader } from "../../../platform/connect/identity.ts";
import { viewerToken } from "../../views/freshness-token.ts";

/**
 * Says in a reply's headers in what state the viewer was when its rows were read, so that the reply can be cached under it.
 * @param row any of them: all come from one snapshot
 */
export function tellViewerState(
  header: Headers,
  viewer: bigint | undefined,
  row: Parameters<typeof viewerToken>[1] | undefined,
): void {
  const token = viewer === undefined || row === undefined ? undefined : viewerToken(viewer, row);
  if (token !== undefined) header.set(viewerStateHeader, token);
}
