import type { Db } from "../../../platform/postgres/pool.ts";
import { type EpochRow, epochColumn } from "../versions.ts";

/** The relation digests of a viewer, in one state of the viewer. */
export interface RelationDigests extends EpochRow {
  viewer_version: string;
  /** By user; undefined when there are more relations and marks than are read. */
  digests: readonly Pick<DigestRow, "user_id" | "digest">[] | undefined;
}

/**
 * The relation digest of a viewer and each user, the viewer included: it covers all that load-relations.ts may find between the
 * two. One statement and one snapshot of the viewer's shard. Undefined for a user without a profile.
 * @param maxFacts the most relations and marks that are read
 */
export async function listRelationDigestRows(
  db: Db,
  viewer: bigint,
  maxFacts: number,
): Promise<RelationDigests | undefined> {
  const { rows } = await db.query<Row>({
    name: "list-relation-digests",
    // A short list of facts is its own digest. The ids of statuses are unique for their author, so they suffice.
    text: `with fact as (
             (select $1::bigint as user_id, 's' || $1::bigint as word
              union all
              select user_id, case when notifications then 'n' else 'f' end from social.follow where follower_id = $1
              union all
              select user_id, 'r' from social.follow_request where follower_id = $1
              union all
              select user_id, 'm' from social.mute where muter_id = $1
              union all
              select user_id, 'b' from social.block where blocker_id = $1
              union all
              select blocker_id, 'k' from social.blocked where user_id = $1
              union all
              select author_id, 'v' || status_id from social.favorite where user_id = $1
              union all
              select repost_of_author_id, 'p' || repost_of_id from social.status
              where author_id = $1 and repost_of_author_id is not null)
             limit $2::int + 1
           ), named as (
             select user_id, string_agg(word, ' ' order by word) as words, count(*) as facts from fact group by user_id
           )
           select user_id, facts, null as viewer_version, null as epoch, case when length(words) <= 20 then words
               else '#' || left(encode(sha256(words::bytea), 'base64'), 21) end as digest
           from named
           union all
           select null, 0, viewer_version::text, ${epochColumn}, null from social.profile where user_id = $1`,
    values: [viewer, maxFacts],
  });
  const own = rows.find((row) => row.user_id === null);
  if (own === undefined) return undefined;
  const digests = rows.filter((row) => row.user_id !== null);
  const facts = digests.reduce((sum, row) => sum + row.facts, 0n);
  return { ...own, digests: facts > maxFacts ? undefined : digests };
}

type Row = DigestRow | ViewerRow;
interface DigestRow {
  user_id: bigint;
  digest: string;
  facts: bigint;
}
interface ViewerRow extends EpochRow {
  user_id: null;
  viewer_version: string;
}
