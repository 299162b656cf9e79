import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { FreshnessService } from "../../../proto/gen/social/v1/freshness_service_pb.ts";
import { type Deadline, millisecondsUntil } from "../../http/limits/deadline.ts";
import { createLoadOnce } from "../batches/load-once.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";

/** What one viewer has to do with other users, in one state of the viewer. */
export interface Relations {
  /** The viewer's token in that state. */
  token: FreshnessToken;
  /** Names those of these users with whom the viewer has anything to do, and what; "" for none of them. */
  to(userIds: readonly string[]): string;
}

/**
 * Gives what a viewer has to do with others, in the state of this token or a later one; undefined where the service does not
 * tell. Never rejects: what is wrong with the service shows when the page is asked for.
 */
export type FindRelations = (
  viewer: string,
  token: FreshnessToken,
  deadline: Deadline,
) => Relations | undefined | Promise<Relations | undefined>;

/** Caches relations by the state that they are of: nothing has to be invalidated. @param maxBytes of all that are cached */
export function createRelationDigests(
  freshness: Pick<Client<typeof FreshnessService>, "listRelationDigests">,
  maxBytes: number,
): FindRelations {
  const cached = new LRUCache<FreshnessToken, CachedRelations>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }, token) => 500 + 2 * token.length + size * bytesOfDigest,
  });
  const loadOnce = createLoadOnce<CachedRelations>();

  async function load(viewer: string, token: FreshnessToken, deadline: Deadline): Promise<CachedRelations> {
    const timeoutMs = millisecondsUntil(deadline);
    const answer = await freshness.listRelationDigests({ viewerId: BigInt(viewer) }, { timeoutMs });
    const digests = new Map(answer.digests.map(({ userId, digest }) => [`${userId}`, digest]));
    const isTold = answer.viewerToken !== "";
    const relations = isTold ? { token: answer.viewerToken, to: reader(digests) } : undefined;
    const entry = { relations, size: digests.size };
    cached.set(relations?.token ?? token, entry);
    return entry;
  }

  return (viewer, token, deadline) => {
    const entry = cached.get(token);
    if (entry !== undefined) return entry.relations;
    return loadOnce(token, () => load(viewer, token, deadline)).then(
      ({ relations }) => relations,
      () => undefined,
    );
  };
}

/** undefined relations: there are too many to be listed. */
interface CachedRelations {
  relations: Relations | undefined;
  size: number;
}

/** What an entry of the map takes. */
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
