import type { Db } from "../../../platform/postgres/pool.ts";
import type { ProfileRelation, StatusRelation, StatusRow } from "../rows.ts";
import { epochColumn } from "../versions.ts";

/** The relations between a viewer and users, and statuses. */
export interface ViewerRelations {
  /** The users whose relation to the viewer was read: the given ones, and the authors of what the statuses repeat. */
  userIds: readonly bigint[];
  toUser(userId: bigint): ProfileRelation;
  /** For a repost the relation to its original, as marks are stored. */
  toStatus(status: StatusRow): StatusRelation;
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
  const related = relatedTo(userIds, statuses);
  const facts = viewer === undefined ? [] : await listFacts(db, viewer, related, statuses.map(originalOf));
  return relationsOf(viewer, related, statuses, facts);
}

/** The same for many viewers together, without their states. */
export async function loadRelationsOfMany(
  db: Db,
  viewers: readonly bigint[],
  userIds: readonly bigint[],
  statuses: readonly AuthoredStatus[],
): Promise<(viewer: bigint | undefined) => ViewerRelations> {
  const related = relatedTo(userIds, statuses);
  const facts = new Map<bigint | undefined, Fact[]>(viewers.map((viewer) => [viewer, []]));
  const found = viewers.length === 0 ? [] : await listFactsOfMany(db, viewers, related, statuses.map(originalOf));
  for (const fact of found) facts.get(fact.viewer)?.push(fact);
  return (viewer) => relationsOf(viewer, related, statuses, facts.get(viewer) ?? []);
}

function relatedTo(userIds: readonly bigint[], statuses: readonly AuthoredStatus[]): bigint[] {
  return [...new Set([...userIds, ...statuses.map((status) => originalOf(status)[0])])];
}

/** @param related the users whose relation was read */
function relationsOf(
  viewer: bigint | undefined,
  related: readonly bigint[],
  statuses: readonly AuthoredStatus[],
  facts: readonly Fact[],
): ViewerRelations {
  const ids = new Map<Fact["kind"], Set<bigint | null>>();
  for (const { kind, id } of facts) ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
  const idsOf = (kind: Fact["kind"]) => ids.get(kind) ?? none;
  const marked = (kind: Fact["kind"]) => new Set([...idsOf(kind)].map((place) => statuses[Number(place) - 1]?.[1]));
  const [followed, asked, avoided, blockers] = [idsOf("follow"), idsOf("request"), idsOf("avoided"), idsOf("blocker")];
  const notifying = new Set(facts.filter((fact) => fact.notifications).map((fact) => fact.id));
  const [favorites, reposts] = [marked("favorite"), marked("repost")];
  const { version: viewer_version = null, epoch: viewer_epoch = null } =
    facts.find((fact) => fact.kind === "viewer") ?? {};
  const isApartFrom = (userId: bigint) => blockers.has(userId) || avoided.has(userId);
  const isRestricted = ({ restricted, repost_of_author_id: author }: StatusRow) =>
    restricted && author !== viewer && !followed.has(author);
  return {
    userIds: related,
    toUser: (userId) => ({
      following: followed.has(userId),
      follow_request_sent: asked.has(userId),
      notifications: notifying.has(userId),
      blocks_viewer: blockers.has(userId),
      viewer_version,
      viewer_epoch,
      is_one_read: true,
    }),
    toStatus: (status) => ({ favorited: favorites.has(status), retweeted: reposts.has(status) }),
    isApartFrom,
    isOfBlocker: ({ repost_of_author_id: author }) => blockers.has(author),
    isRestricted,
    isHidden(authorId, status) {
      if (isRestricted(status)) return true;
      const { repost_of_author_id: author } = status;
      if (author === null || author === authorId || authorId === viewer) return false;
      return isApartFrom(author);
    },
  };
}

const none: ReadonlySet<bigint | null> = new Set();

interface Fact {
  viewer: bigint;
  kind: "viewer" | "follow" | "request" | "avoided" | "blocker" | "favorite" | "repost";
  /** The other user; of a mark the place of the status in the list, from 1 on; null for the viewer. */
  id: bigint | null;
  notifications: boolean;
  /** With the epoch, of one viewer only. */
  version: string | null;
  epoch: string | null;
}

/** @param originals what is marked: for a repost its original */
async function listFacts(
  db: Db,
  viewer: bigint,
  userIds: readonly bigint[],
  originals: readonly Original[],
): Promise<Fact[]> {
  const { rows } = await db.query<Fact>({
    name: "load-relations",
    // Marks are looked up one by one: without "offset 0" Postgres may read all marks of the viewer.
    text: `${relationsTo("= $1")}
           union all
           select user_id, 'viewer', null, false, viewer_version::text, ${epochColumn}
           from social.profile where user_id = $1
           union all
           select $1, 'favorite', place, false, null, null
           from ${shown}, lateral (
             select from social.favorite where user_id = $1 and author_id = author and status_id = original offset 0
           ) as mark
           union all
           select $1, 'repost', place, false, null, null
           from ${shown}, lateral (
             select from social.status
             where author_id = $1 and repost_of_author_id = author and repost_of_id = original offset 0
           ) as repost`,
    values: [viewer, userIds, originals.map(([author]) => author), originals.map(([, id]) => id)],
  });
  return rows;
}

/** The facts of many viewers, each on its viewer's shard; not the viewers' own states. */
async function listFactsOfMany(
  db: Db,
  viewers: readonly bigint[],
  userIds: readonly bigint[],
  originals: readonly Original[],
): Promise<Fact[]> {
  const { rows } = await db.query<Fact>({
    name: "load-relations-of-many",
    text: `${relationsTo("= any ($1::bigint[])")}
           union all
           select user_id, 'favorite', place, false, null, null
           from ${shown} join social.favorite on author_id = author and status_id = original
           where user_id = any ($1::bigint[])
           union all
           select author_id, 'repost', place, false, null, null
           from ${shown} join social.status on repost_of_author_id = author and repost_of_id = original
           where author_id = any ($1::bigint[])`,
    values: [viewers, userIds, originals.map(([author]) => author), originals.map(([, id]) => id)],
  });
  return rows;
}

/** @param viewers compares a column with one viewer, so that only that viewer's shard is asked, or with many */
function relationsTo(viewers: "= $1" | "= any ($1::bigint[])"): string {
  const fact = (kind: Fact["kind"], table: string, viewer: string, user: string, notifications = "false") =>
    `select ${viewer} as viewer, '${kind}' as kind, ${user} as id, ${notifications} as notifications,
       null::text as version, null::text as epoch
     from social.${table} where ${viewer} ${viewers} and ${user} = any ($2::bigint[])`;
  return [
    fact("follow", "follow", "follower_id", "user_id", "notifications"),
    fact("request", "follow_request", "follower_id", "user_id"),
    fact("avoided", "mute", "muter_id", "user_id"),
    fact("avoided", "block", "blocker_id", "user_id"),
    fact("blocker", "blocked", "user_id", "blocker_id"),
  ].join(" union all ");
}

const shown = "unnest($3::bigint[], $4::bigint[]) with ordinality as shown (author, original, place)";

type Original = readonly [authorId: bigint, id: bigint];

function originalOf([authorId, status]: AuthoredStatus): Original {
  const { repost_of_author_id: author, repost_of_id: id } = status;
  return author === null || id === null ? [authorId, status.status_id] : [author, id];
}

/** What decides whether a user may read another one's statuses. */
export async function getReader(
  db: Db,
  readerId: bigint,
  userId: bigint,
): Promise<Pick<ProfileRelation, "following" | "blocks_viewer">> {
  const { rows } = await db.query<Pick<ProfileRelation, "following" | "blocks_viewer">>({
    name: "get-reader",
    text: `select exists (select from social.follow where follower_id = $1 and user_id = $2) as following,
             exists (select from social.blocked where user_id = $1 and blocker_id = $2) as blocks_viewer`,
    values: [readerId, userId],
  });
  return rows[0] ?? { following: false, blocks_viewer: false };
}
