import type { Db } from "../../platform/postgres/pool.ts";

/** The costs that stored password hashes have, each once: `m=…,t=…,p=…`, as in their PHC form. One, unless the settings were changed. */
export async function listHashCosts(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ cost: string }>({
    name: "list-hash-costs",
    // One look-up in an index for each cost: `distinct` would read all accounts.
    text: `with recursive used (cost) as (
             select min(${costOf}) from account.account where password_hash is not null
             union all
             select (select min(${costOf}) from account.account where password_hash is not null and ${costOf} > cost)
             from used where cost is not null
           )
           select cost from used where cost is not null`,
    values: [],
  });
  return rows.map(({ cost }) => cost);
}

// As in the index of migration 0012.
const costOf = `(split_part(password_hash, '$', 4) collate "C")`;
