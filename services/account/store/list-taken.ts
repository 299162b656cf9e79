import type { Db } from "../../platform/postgres/pool.ts";

/** Which of a user name and an e-mail address are taken. Only insertRegistered decides. */
export async function listTaken(db: Db, userName: string | undefined, emailKey: string | undefined): Promise<Taken> {
  const { rows } = await db.query<Taken>({
    name: "list-taken",
    text: `select exists (select from account.account where name_key = lower($1 collate "C")) as "userName",
                  exists (select from account.account where email_key = $2) as "email"`,
    values: [userName ?? null, emailKey ?? null],
  });
  return rows[0] as Taken;
}

export interface Taken {
  userName: boolean;
  email: boolean;
}
