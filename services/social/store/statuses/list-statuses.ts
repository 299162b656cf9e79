import type { Db } from "../../../platform/postgres/pool.ts";
import type { StatusKey } from "../../domain/status-key.ts";
import { type AuthoredRow, authoredColumns, keyedStatuses } from "../rows.ts";

/** The statuses of these keys that exist and are not withheld, with their authors, in no order. */
export async function listStatuses(db: Db, isCluster: boolean, keys: readonly StatusKey[]): Promise<AuthoredRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<AuthoredRow>({
    name: isCluster ? "list-statuses-of-cluster" : "list-statuses",
    text: `select ${authoredColumns} from ${keyedStatuses(isCluster)} where not withheld`,
    values: [keys.map(({ authorId }) => authorId), keys.map(({ id }) => id)],
  });
  return rows;
}
