/** The user's id by which a table's rows lie on shards; beside each other where the ids are equal. */
export type Column = "user_id" | "author_id" | "follower_id" | "blocker_id" | "muter_id" | "reporter_id";

/**
 * Where the rows of each table of the schema lie on a cluster: by which column on shards, or "everywhere" (a reference table,
 * read beside any shard and written on all servers), or "coordinator" (a plain table there).
 */
export const distribution: Readonly<Record<string, Column | "everywhere" | "coordinator">> = {
  profile: "user_id",
  removed_profile: "user_id",
  request: "user_id",
  favorite: "user_id",
  status: "author_id",
  removed_status: "author_id",
  undone_repost: "author_id",
  follow: "follower_id",
  follow_request: "follower_id",
  block: "blocker_id",
  blocked: "user_id",
  mute: "muter_id",
  report: "reporter_id",
  screen_name: "everywhere",
  epoch: "everywhere",
  id_node: "everywhere",
  // Written twice a second by each process, whichever servers are unavailable.
  announcer: "coordinator",
  migration: "coordinator",
};

/** The table beside whose shards all others lie. */
export const firstTable = "profile";
