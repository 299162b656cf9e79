import type { MigrationBuilder } from "node-pg-migrate";
import { emailKey, exactEmailKey } from "../domain/email.ts";

/** Makes the key of every e-mail address anew. No account is lost: of those that become equal the oldest has the key. */
export async function up({ db }: Pick<MigrationBuilder, "db">): Promise<void> {
  await db.query("alter table account.account drop constraint account_email_key");
  for (let last = "-1"; ; ) {
    const rows: Row[] = await db.select(
      `select user_id::text as "userId", email, email_key as "oldKey" from account.account
       where email is not null and user_id > $1 order by user_id limit 5000`,
      [last],
    );
    const keys = rows.map((row) => ({ ...row, key: emailKey(row.email) ?? exactEmailKey(row.email) }));
    await store(
      db,
      keys.filter(({ key, oldKey }) => key !== oldKey),
    );
    const end = rows.at(-1);
    if (end === undefined) break;
    last = end.userId;
  }
  const later: Row[] = await db.select(
    `select user_id::text as "userId", email from (
       select user_id, email, row_number() over (partition by email_key order by user_id) as place
       from account.account where email is not null
     ) as ranked where place > 1`,
  );
  await store(
    db,
    later.map((row) => ({ ...row, key: exactEmailKey(row.email) })),
  );
  await db.query("alter table account.account add constraint account_email_key unique (email_key)");
}

interface Row {
  userId: string;
  email: string;
  oldKey: string;
}

async function store(db: MigrationBuilder["db"], keys: { userId: string; key: string }[]): Promise<void> {
  await db.query(
    `update account.account as held set email_key = made.key
     from unnest($1::bigint[], $2::text[]) as made (user_id, key) where held.user_id = made.user_id`,
    [keys.map(({ userId }) => userId), keys.map(({ key }) => key)],
  );
}
