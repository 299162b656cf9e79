import type { Db } from "../../../platform/postgres/pool.ts";
import { resultFields, sentRow, statusFields } from "../sent-fields.ts";
import { type EpochRow, epochColumn } from "../versions/epoch.ts";

/** A user as anonymous callers see them. */
export interface PublicProfile extends EpochRow {
  user_id: bigint;
  screen_name: string;
  protected: boolean;
  suspended: boolean;
  content_version: bigint;
  counters_version: bigint;
  /** As resultFields; null for none. */
  before: Buffer | null;
  after: Buffer | null;
  /** The newest status that is not restricted, as statusFields; null where there is none. */
  status: Buffer | null;
  /** The names of the user; none where no names were asked for. */
  name_keys: string[];
}

const usersWithNewest = `select profile.user_id, profile.screen_name, profile.protected, profile.suspended, profile.content_version,
  profile.counters_version, ${epochColumn}, ${sentRow(resultFields.before)} as before,
  ${sentRow(resultFields.after)} as after,
  case when status.id is not null then ${sentRow(statusFields)} end as status,
  array(select name_key from social.screen_name where $2 and screen_name.user_id = profile.user_id) as name_keys
  from social.profile
  left join social.status on status.author_id = profile.user_id and status.id = profile.last_unrestricted_id
  where profile.user_id = any ($1::bigint[])`;

/**
 * The users of these ids with their newest statuses, each once, in no order. One statement however many.
 * @param byName whether the names by which they are found are wanted
 */
export async function listPublicProfiles(
  db: Db,
  userIds: readonly bigint[],
  byName: boolean,
): Promise<PublicProfile[]> {
  const { rows } = await db.query<PublicProfile>({
    name: "list-public-profiles",
    text: usersWithNewest,
    values: [userIds, byName],
  });
  return rows;
}
