import type { Db } from "../../platform/postgres/pool.ts";

/** The name and the address that have to be free for an account; undefined where it has none. */
export interface WantedNames {
  userName: string | undefined;
  emailKey: string | undefined;
}

export interface Taken {
  userName: boolean;
  email: boolean;
}

/** For each of the accounts, whether its user name and its e-mail address are taken. Only insertRegistered decides. */
export async function listTaken(db: Db, wanted: readonly WantedNames[]): Promise<Taken[]> {
  const { rows } = await db.query<Taken>({
    name: "list-taken",
    // Each a look-up in an index: `exists` may be answered from a hash of the whole table.
    text: `select coalesce((select true from account.account where name_key = lower(wanted.user_name collate "C")), false) as "userName",
                  coalesce((select true from account.account where account.email_key = wanted.email_key), false) as "email"
           from unnest($1::text[], $2::text[]) with ordinality as wanted (user_name, email_key, place) order by place`,
    values: [wanted.map(({ userName }) => userName), wanted.map(({ emailKey }) => emailKey)],
  });
  return rows;
}
