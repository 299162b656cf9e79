import type { Db } from "../../../platform/postgres/pool.ts";
import { epochColumn } from "../freshness/epoch.ts";
import type { ProfileRelation, StatusRelation, StatusRow } from "../rows.ts";

/** The relations between a viewer and users, and statuses. */
export interface ViewerRelations {
  /** The users whose relation to the viewer was read: the given ones, and the authors of what the statuses repeat. */
  userIds: readonly bigint[];
  toUser(userId: bigint): ProfileRelation;
  /** For a repost the relation to its original, as marks are stored. */
  toStatus(authorId: bigint, status: StatusRow): StatusRelation;
  /** Whether the viewer has blocked or muted the author of one of the statuses, or that author has blocked the viewer. */
  isApartFrom(authorId: bigint): boolean;
  /** Whether a status repeats one of a user who has blocked the viewer. */
  isOfBlocker(status: StatusRow): boolean;
  /** Whether a status repeats one of a protected user whose statuses the viewer may not read. */
  isRestricted(status: StatusRow): boolean;
  /**
   * Whether a timeline hides a status from the viewer: restricted reposts, and reposts of users whom the viewer has blocked or muted, or
   * who have blocked the viewer. Not those of the viewer, and not a user's own statuses that the user repeats.
   */
  isHidden(authorId: bigint, status: StatusRow): boolean;
}

/** The relation of an anonymous caller. */
export const noRelation: ProfileRelation = {
  following: false,
  follow_request_sent: false,
  notifications: false,
  blocks_viewer: false,
  viewer_version: null,
  viewer_epoch: null,
  is_one_read: true,
};

/** A status and its author. */
type AuthoredStatus = readonly [authorId: bigint, status: StatusRow];

/**
 * A viewer's relations to these users and statuses, and the state of the viewer that they are part of: one statement and one
 * snapshot of the viewer's shard; none for an anonymous caller. Any other user or status counts as one without relation.
 */
export async function loadRelations(
  db: Db,
  viewer: bigint | undefined,
  userIds: readonly bigint[],
  statuses: readonly AuthoredStatus[],
): Promise<ViewerRelations> {
  const facts = viewer === undefined ? new Map<string, Fact>() : await loadFacts(db, viewer, userIds, statuses);
  const { version: viewer_version = null, epoch: viewer_epoch = null } = facts.get("viewer") ?? {};
  const isApartFrom = (userId: bigint) => facts.has(`blocker:${userId}`) || facts.has(`avoided:${userId}`);
  const isRestricted = ({ restricted, repost_of_author_id: author }: StatusRow) =>
    restricted && author !== viewer && !facts.has(`follow:${author}`);
  return {
    userIds: [...userIds, ...statuses.map(([authorId, status]) => originalOf(authorId, status)[0])],
    toUser: (userId) => ({
      following: facts.has(`follow:${userId}`),
      follow_request_sent: facts.has(`follow_request:${userId}`),
      notifications: facts.get(`follow:${userId}`)?.notifications ?? false,
      blocks_viewer: facts.has(`blocker:${userId}`),
      viewer_version,
      viewer_epoch,
      is_one_read: true,
    }),
    toStatus(authorId, status) {
      const key = originalOf(authorId, status).join(":");
      return { favorited: facts.has(`favorite:${key}`), retweeted: facts.has(`repost:${key}`) };
    },
    isApartFrom,
    isOfBlocker: ({ repost_of_author_id: author }) => facts.has(`blocker:${author}`),
    isRestricted,
    isHidden(authorId, status) {
      if (isRestricted(status)) return true;
      const { repost_of_author_id: author } = status;
      if (author === null || author === authorId || authorId === viewer) return false;
      return isApartFrom(author);
    },
  };
}

interface Fact {
  notifications: boolean;
  version: string | null;
  epoch: string | null;
}

/** By "kind:user id", "kind:author id:status id" and "viewer". */
async function loadFacts(db: Db, viewer: bigint, userIds: readonly bigint[], statuses: readonly AuthoredStatus[]) {
  const originals = statuses.map(([authorId, status]) => originalOf(authorId, status));
  const { rows } = await db.query<Fact & { key: string }>({
    name: "load-relations",
    // Marks are looked up one by one: without "offset 0" Postgres may read all marks of the viewer.
    text: `select 'viewer' as key, false as notifications, viewer_version::text as version, ${epochColumn}
           from social.profile where user_id = $1
           union all
           select 'follow:' || user_id, notifications, null, null from social.follow
           where follower_id = $1 and user_id = any ($2::bigint[] || $3::bigint[])
           union all
           select 'follow_request:' || user_id, false, null, null from social.follow_request
           where follower_id = $1 and user_id = any ($2::bigint[])
           union all
           select 'avoided:' || user_id, false, null, null from social.mute
           where muter_id = $1 and user_id = any ($3::bigint[])
           union all
           select 'avoided:' || user_id, false, null, null from social.block
           where blocker_id = $1 and user_id = any ($3::bigint[])
           union all
           select 'blocker:' || blocker_id, false, null, null from social.blocked
           where user_id = $1 and blocker_id = any ($2::bigint[] || $3::bigint[])
           union all
           select 'favorite:' || author || ':' || id, false, null, null
           from unnest($3::bigint[], $4::bigint[]) as shown (author, id), lateral (
             select from social.favorite where user_id = $1 and author_id = author and status_id = id offset 0
           ) as mark
           union all
           select 'repost:' || author || ':' || original, false, null, null
           from unnest($3::bigint[], $4::bigint[]) as shown (author, original), lateral (
             select from social.status
             where author_id = $1 and repost_of_author_id = author and repost_of_id = original offset 0
           ) as repost`,
    values: [viewer, userIds, originals.map(([author]) => author), originals.map(([, id]) => id)],
  });
  return new Map(rows.map((row) => [row.key, row]));
}

function originalOf(authorId: bigint, status: StatusRow): [authorId: bigint, id: bigint] {
  const { repost_of_author_id: author, repost_of_id: id } = status;
  return author === null || id === null ? [authorId, status.status_id] : [author, id];
}
