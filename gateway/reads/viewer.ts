import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { VersionService } from "../../proto/gen/social/v1/version_service_pb.ts";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";
import { createLoadOnce } from "./load.ts";

/** A signed-in user for whom something is read. */
export interface Viewer {
  userId: string;
  version: string;
  /** The viewer's relations to others in that version; undefined where there are too many to be listed. */
  relations: Relations | undefined;
}

/** Names the relations of a viewer to these users: follows, requests, blocks, mutes, marks, reposts. "" where there are none. */
export type Relations = (userIds: readonly string[]) => string;

/** Finds the relations of a viewer in this version or a later one, which the result names. Rejects with ConnectError. */
export type FindViewer = (userId: string, version: string, deadline: Deadline) => Promise<Viewer>;

/**
 * Stores relations by the viewer's version, so nothing has to be invalidated.
 * @param maxBytes of all stored relations
 */
export function createFindViewer(
  service: Pick<Client<typeof VersionService>, "listRelationDigests">,
  maxBytes: number,
): FindViewer {
  const known = new LRUCache<string, { viewer: Viewer; size: number }>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => 500 + size * bytesOfDigest,
  });
  const loadOnce = createLoadOnce<Viewer>();

  async function load(userId: string, version: string, deadline: Deadline): Promise<Viewer> {
    const timeoutMs = millisecondsUntil(deadline);
    const { viewerVersion, digests } = await service.listRelationDigests({ viewerId: BigInt(userId) }, { timeoutMs });
    const of = new Map(digests.map((one) => [`${one.userId}`, one.digest]));
    const isListed = viewerVersion !== "";
    const viewer = { userId, version: isListed ? viewerVersion : version, relations: isListed ? read(of) : undefined };
    known.set(viewer.version, { viewer, size: of.size });
    return viewer;
  }

  return async (userId, version, deadline) => {
    const stored = known.get(version);
    if (stored !== undefined) return stored.viewer;
    // A load for this version began after it had been asked for, so its answer is new enough for everybody who was told the version.
    return loadOnce(version, () => load(userId, version, deadline));
  };
}

/** Memory of one entry of the map. */
const bytesOfDigest = 120;

function read(digests: ReadonlyMap<string, string>): Relations {
  return (userIds) => {
    let found = "";
    for (const userId of userIds) {
      const digest = digests.get(userId);
      if (digest !== undefined) found += `,${userId}:${digest}`;
    }
    return found;
  };
}

/**
 * The part of a page's key that depends on the viewer: the relations to the users whom the page shows, so that viewers with the same
 * relations share a page, or the viewer's whole version where these are not known. A version has no comma.
 * @param userIds the users whom the page shows; undefined where the service does not list them
 */
export function viewerPart(userIds: readonly string[] | undefined, { version, relations }: Viewer): string {
  return userIds === undefined || relations === undefined ? version : relations(userIds);
}
