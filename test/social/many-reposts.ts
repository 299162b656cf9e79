import type { Person } from "../support/people.ts";
import type { TestDatabase } from "../support/test-database.ts";

/** Runs a test on an author with one status whose reposts were written by SQL: publishing thousands would take a while. */
export async function withReposts(
  database: TestDatabase,
  author: Person,
  reposts: readonly (readonly [by: Person, count: number])[],
  test: () => Promise<void>,
): Promise<void> {
  for (const [{ id }, count] of reposts) {
    await copyNewest(database, author, count, {
      author_id: `${id}`,
      repost_of_author_id: "base.author_id",
      repost_of_id: "n",
    });
  }
  try {
    await test();
  } finally {
    // No counter knows of them.
    const ids = [author, ...reposts.map(([by]) => by)].map(({ id }) => id);
    await database.query("delete from social.status where author_id = any ($1)", [ids]);
    const columns = "statuses_count = 0, last_status_id = null, last_unrestricted_id = null";
    await database.query(`update social.profile set ${columns} where user_id = any ($1)`, [ids]);
  }
}

/**
 * Adds copies of a user's newest status, with the ids that follow its own.
 * @param columns what else differs: SQL expressions by column, of the number `n` of the copy, from 1 on, and the status `base`
 */
export async function copyNewest(
  database: TestDatabase,
  { id }: Person,
  count: number,
  columns: Record<string, string>,
): Promise<void> {
  const changes = Object.entries({ id: "base.id + n", ...columns }).map(([name, value]) => `'${name}', ${value}`);
  await database.query(
    `insert into social.status
     select copy.* from (select * from social.status where author_id = $1 order by id desc limit 1) as base,
       generate_series(1, $2::int) as n,
       jsonb_populate_record(null::social.status, to_jsonb(base) || jsonb_build_object(${changes.join(", ")})) as copy`,
    [id, count],
  );
}
