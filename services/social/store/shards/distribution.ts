/** The user id by which a table's rows are distributed; rows with equal ids are on one server. */
export type Column = "user_id" | "author_id" | "follower_id" | "blocker_id" | "muter_id" | "reporter_id";

/**
 * Where each table of the schema lies on a cluster: distributed by a column, or "everywhere" (a reference table, read beside any
 * shard and written on all servers), or "coordinator" (a plain table there).
 */
export const distribution: Readonly<Record<string, Column | "everywhere" | "coordinator">> = {
  profile: "user_id",
  removed_profile: "user_id",
  name_prefix: "user_id",
  request: "user_id",
  favorite: "user_id",
  mention: "user_id",
  status: "author_id",
  removed_status: "author_id",
  status_word: "author_id",
  follow: "follower_id",
  follow_request: "follower_id",
  block: "blocker_id",
  blocked: "user_id",
  mute: "muter_id",
  report: "reporter_id",
  screen_name: "everywhere",
  epoch: "everywhere",
  search_state: "everywhere",
  id_node: "everywhere",
  migration: "coordinator",
};

/** The table with whose shards those of all others are colocated. */
export const firstTable = "profile";
