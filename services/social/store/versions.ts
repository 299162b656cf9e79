import type { Db } from "../../platform/postgres/pool.ts";

/**
 * The select item `epoch`, which differs between two states with the same versions. The row changes when an operator renews it,
 * and after a logical restore. The rest changes by itself after a physical rollback: a restored data folder, a promoted standby
 * and a point-in-time restore each have another start time of the postmaster; a server that recovers from a crash of one of its
 * processes, and may lose what was committed asynchronously, has its statistics reset; a database that was copied from a template
 * has another oid, which is part of every path of a table. Uncorrelated, so that it is computed once in a statement; and part of
 * each statement, since a pooler may give the next one another server. Without the tables of the catalog: a cluster would read
 * them on the coordinator, and the statement's tables one after the other, each in a snapshot of its own. So on a cluster it is
 * the epoch of the server that holds the row.
 */
export const epochColumn = `
  (select hashtextextended(concat_ws(' ',
    id,
    xmin,
    extract(epoch from pg_postmaster_start_time()),
    extract(epoch from pg_stat_get_bgwriter_stat_reset_time()),
    pg_relation_filepath('pg_catalog.pg_class')), 0)::text
  from social.epoch) as epoch`;

/** 64 bits in digits, as a statement selects them. */
export interface EpochRow {
  epoch: string;
}

/** The versions of a viewer. */
interface ViewerVersions extends EpochRow {
  user_id: bigint;
  content_version: bigint;
  counters_version: bigint;
}

/** The versions of an author. */
export interface AuthorVersions extends ViewerVersions {
  name_key: string;
  suspended: boolean;
}

/** The versions of the users with these names, by name key, and of these users as viewers, by id. Without unknown users. Not for a cluster. */
export async function listRowVersions(db: Db, nameKeys: readonly string[], viewerIds: readonly bigint[]) {
  const { rows } = await db.query<AuthorVersions | (ViewerVersions & { name_key: null })>({
    name: "list-versions",
    text: `select ${ofAuthors} name_key = any ($1::text[]) union all select ${ofViewers} user_id = any ($2::bigint[])`,
    values: [nameKeys, viewerIds],
  });
  const authors = new Map<string, AuthorVersions>();
  const viewers = new Map<bigint, ViewerVersions>();
  for (const row of rows) {
    if (row.name_key === null) viewers.set(row.user_id, row);
    else authors.set(row.name_key, row);
  }
  return { authors, viewers };
}

/**
 * The same on a cluster, for authors who have these names and these ids: it asks only the shards of these users. A cluster runs the parts of
 * one statement one after the other and sends what each gives to all servers, which takes five times as long.
 */
export async function listAuthorVersions(db: Db, nameKeys: readonly string[], userIds: readonly bigint[]) {
  const { rows } = await db.query<AuthorVersions>({
    name: "list-author-versions",
    text: `select ${ofAuthors} profile.user_id = any ($1::bigint[]) and name_key = any ($2::text[])`,
    values: [userIds, nameKeys],
  });
  return new Map(rows.map((row) => [row.name_key, row]));
}

/** The same for viewers, by id. @param userIds at least one: without one a cluster would ask every shard */
export async function listViewerVersions(db: Db, userIds: readonly bigint[]) {
  const { rows } = await db.query<ViewerVersions>({
    name: "list-viewer-versions",
    text: `select ${ofViewers} user_id = any ($1::bigint[])`,
    values: [userIds],
  });
  return new Map(rows.map((row) => [row.user_id, row]));
}

const ofAuthors = `name_key, user_id, content_version, counters_version, ${epochColumn}, suspended
  from social.screen_name join social.profile using (user_id) where`;
const ofViewers = `null as name_key, user_id, viewer_version as content_version, 0 as counters_version, ${epochColumn},
    null::boolean as suspended
  from social.profile where`;
