import { agreedPlaceColumn } from "../../../platform/freshness/announcers.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { type EpochRow, epochColumn } from "./epoch.ts";

const agreement = `${agreedPlaceColumn}, bool_and(announces_viewers) as announces_viewers
  from social.announcer where not has_left`;
const authorStates = `name_key, user_id, content_version, counters_version, ${epochColumn}, suspended,
    null as agreed_place, null::boolean as announces_viewers
  from social.screen_name join social.profile using (user_id)
  where profile.user_id = any ($1::bigint[]) and name_key = any ($2::text[])`;
const viewerStates = `null as name_key, user_id, viewer_version as content_version, 0 as counters_version, ${epochColumn},
    null::boolean as suspended, null as agreed_place, null::boolean as announces_viewers
  from social.profile where user_id = any`;

/** The state of a viewer. */
interface ViewerState extends EpochRow {
  user_id: bigint;
  content_version: bigint;
  counters_version: bigint;
}

/** The state of an author. */
export interface AuthorState extends ViewerState {
  name_key: string;
  suspended: boolean;
}

/** What all social processes agree on. */
export interface Agreement {
  agreed_place: string | null;
  announces_viewers: boolean | null;
}

/** The names and ids of authors, and the ids of viewers. */
interface FreshnessKeys {
  nameKeys: readonly string[];
  userIds: readonly bigint[];
  viewerIds: readonly bigint[];
}

/**
 * The states of the users who have these names and these ids, by name key, and of these users as viewers, by id. Without unknown
 * users. With them, of the same moment or an earlier one, where all social processes announce their changes, and whether they
 * announce viewers.
 */
export async function listFreshness(db: Db, keys: FreshnessKeys, isCluster: boolean) {
  const rows = await (isCluster ? readPerShard(db, keys) : readInOneStatement(db, keys));
  const authors = new Map<string, AuthorState>();
  const viewers = new Map<bigint, ViewerState>();
  let agreed = noAgreement;
  for (const row of rows) {
    if (row.user_id === null) agreed = row;
    else if (row.name_key === null) viewers.set(row.user_id, row);
    else authors.set(row.name_key, row);
  }
  return { authors, viewers, agreement: agreed };
}

type Row = (AuthorState | (ViewerState & { name_key: null }) | { user_id: null }) & Agreement;

async function readInOneStatement(db: Db, { nameKeys, userIds, viewerIds }: FreshnessKeys): Promise<Row[]> {
  const { rows } = await db.query<Row>({
    name: "list-freshness",
    text: `select ${authorStates}
           union all
           select ${viewerStates} ($3::bigint[])
           union all
           select null, null, null, null, null, null, ${agreement}`,
    values: [userIds, nameKeys, viewerIds],
  });
  return rows;
}

/**
 * A cluster runs the parts of one statement one after the other and sends what each gives to all servers, which takes five times
 * as long. For an empty list it would ask every shard.
 */
async function readPerShard(db: Db, { nameKeys, userIds, viewerIds }: FreshnessKeys): Promise<Row[]> {
  const read = async (name: string, text: string, ids: readonly bigint[], ...rest: unknown[]) =>
    ids.length === 0 ? [] : (await db.query<Row>({ name, text, values: [ids, ...rest] })).rows;
  const { rows: agreed } = await db.query<Row>({ name: "get-agreement", text: `select null as user_id, ${agreement}` });
  const [authors, viewers] = await Promise.all([
    read("list-freshness", `select ${authorStates}`, userIds, nameKeys),
    read("list-viewer-freshness", `select ${viewerStates} ($1::bigint[])`, viewerIds),
  ]);
  return [...agreed, ...authors, ...viewers];
}

/** Who has these names, by name key, and what all social processes agree on. Needs no shard. */
export async function listHolders(db: Db, nameKeys: readonly string[]) {
  const { rows } = await db.query<{ name_key: string | null; user_id: bigint } & Agreement>({
    name: "list-holders-and-agreement",
    text: `select name_key, user_id, null as agreed_place, null::boolean as announces_viewers
           from social.screen_name where name_key = any ($1::text[])
           union all
           select null, null, ${agreement}`,
    values: [nameKeys],
  });
  const holders = new Map<string, bigint>();
  for (const row of rows) if (row.name_key !== null) holders.set(row.name_key, row.user_id);
  return { holders, agreement: rows.find((row) => row.name_key === null) ?? noAgreement };
}

const noAgreement: Agreement = { agreed_place: null, announces_viewers: null };
