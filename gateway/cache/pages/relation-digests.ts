import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { VersionService } from "../../../proto/gen/social/v1/version_service_pb.ts";
import { type Deadline, millisecondsUntil } from "../../http/limits/deadline.ts";
import { createLoadOnce } from "../batches/load-once.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";

/** The relations of one viewer to other users, in one state of the viewer. */
export interface Relations {
  /** The viewer's token in that state. */
  token: FreshnessToken;
  /** One text that names the viewer's relations to these users; "" where there are none. */
  to(userIds: readonly string[]): string;
}

/**
 * Finds the relations of a viewer, in the state of this token or a later one; undefined where the service does not list
 * them, or fails. Never rejects: if the service fails, so does the load of the page.
 */
export type FindRelations = (
  viewerId: string,
  token: FreshnessToken,
  deadline: Deadline,
) => Relations | undefined | Promise<Relations | undefined>;

/** Caches relations by the viewer's state, so nothing has to be invalidated. @param maxBytes of all cached relations */
export function createRelationDigests(
  freshness: Pick<Client<typeof VersionService>, "listRelationDigests">,
  maxBytes: number,
): FindRelations {
  const cached = new LRUCache<FreshnessToken, CachedRelations>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }, token) => 500 + 2 * token.length + size * bytesOfDigest,
  });
  const loadOnce = createLoadOnce<CachedRelations>();

  async function load(viewerId: string, token: FreshnessToken, deadline: Deadline): Promise<CachedRelations> {
    const timeoutMs = millisecondsUntil(deadline);
    const answer = await freshness.listRelationDigests({ viewerId: BigInt(viewerId) }, { timeoutMs });
    const digests = new Map(answer.digests.map(({ userId, digest }) => [`${userId}`, digest]));
    const areListed = answer.viewerVersion !== "";
    const relations = areListed ? { token: answer.viewerVersion, to: reader(digests) } : undefined;
    const entry = { relations, size: digests.size };
    cached.set(relations?.token ?? token, entry);
    return entry;
  }

  return (viewerId, token, deadline) => {
    const entry = cached.get(token);
    if (entry !== undefined) return entry.relations;
    return loadOnce(token, () => load(viewerId, token, deadline)).then(
      ({ relations }) => relations,
      () => undefined,
    );
  };
}

interface CachedRelations {
  /** undefined: there are too many to be listed. */
  relations: Relations | undefined;
  size: number;
}

/** Memory of one entry of the map. */
const bytesOfDigest = 120;

function reader(digests: ReadonlyMap<string, string>): Relations["to"] {
  return (userIds) => {
    let found = "";
    for (const userId of userIds) {
      const digest = digests.get(userId);
      if (digest !== undefined) found += `,${userId}:${digest}`;
    }
    return found;
  };
}
