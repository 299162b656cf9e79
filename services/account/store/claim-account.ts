import type { Db } from "../../platform/postgres/pool.ts";

export interface FirstPassword {
  userId: bigint;
  passwordHash: string;
  email: string | undefined;
  emailKey: string | undefined;
}

/** Claims an imported account; false when there is none or it is claimed already. The unique key decides on the address. */
export async function claimAccountRow(db: Db, claim: FirstPassword): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "claim-account",
    text: `update account.account
           set claimed = true, password_hash = $2, password_version = password_version + 1,
             email = coalesce($3, email), email_key = coalesce($4, email_key)
           where user_id = $1 and not claimed and deleted_at is null`,
    values: [claim.userId, claim.passwordHash, claim.email ?? null, claim.emailKey ?? null],
  });
  return rowCount === 1;
}
