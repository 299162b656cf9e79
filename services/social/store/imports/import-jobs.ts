import type { Db } from "../../../platform/postgres/pool.ts";
import type { JobKey } from "../../domain/import-job.ts";

/** How many statuses of a job exist. */
export async function countImportedRows(db: Db, { authorId, id }: JobKey): Promise<bigint> {
  const { rows } = await db.query<{ count: bigint }>({
    name: "count-imported",
    text: `select count(*) from social.status where author_id = $1 and import_job = $2`,
    values: [authorId, id],
  });
  return rows[0]?.count ?? 0n;
}

/** At most `limit` statuses of a job, newest first. */
export async function listImported(db: Db, { authorId, id }: JobKey, limit: number): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>({
    name: "list-imported",
    text: `select id from social.status where author_id = $1 and import_job = $2 order by id desc limit $3`,
    values: [authorId, id, limit],
  });
  return rows.map((row) => row.id);
}
