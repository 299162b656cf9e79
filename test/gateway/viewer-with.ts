import type { Viewer } from "../../gateway/cache/pages/viewer-part.ts";

/** A viewer with relation digests for these users. */
export function viewerWith(token: string, digests: Record<string, string> = {}): Viewer {
  const to = (ids: readonly string[]) => ids.map((id) => (id in digests ? `,${id}:${digests[id]}` : "")).join("");
  return { token, relations: { token, to } };
}
