import type { Db } from "../../platform/postgres/pool.ts";

export interface StoredInvitation {
  id: bigint;
  uses: number;
  used: number;
  createdAt: Date;
  expiresAt: Date;
}

/** Adds an invitation for `uses` accounts that ends `maxAge` seconds from now. */
export async function insertInvitation(
  db: Db,
  codeHash: Buffer,
  uses: number,
  maxAge: number,
): Promise<StoredInvitation> {
  const { rows } = await db.query<StoredInvitation>({
    name: "insert-invitation",
    text: `insert into account.invitation (code_hash, uses, expires_at) values ($1, $2, now() + $3 * interval '1 second')
           returning ${columns}`,
    values: [codeHash, uses, maxAge],
  });
  return rows[0] as StoredInvitation;
}

/** The invitations that have not expired, newest first, at most `limit`. */
export async function listInvitationRows(db: Db, limit: number): Promise<StoredInvitation[]> {
  const { rows } = await db.query<StoredInvitation>({
    name: "list-invitations",
    text: `select ${columns} from account.invitation where expires_at > now() order by invitation_id desc limit $1`,
    values: [limit],
  });
  return rows;
}

/** Whether an account can be made with an invitation. Only useInvitation decides. */
export async function isUsable(db: Db, codeHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "is-usable-invitation",
    text: `select from account.invitation where code_hash = $1 and used < uses and expires_at > now()`,
    values: [codeHash],
  });
  return rowCount === 1;
}

/** Counts one more account; false when the invitation is used up, expired or revoked. Others who use it wait for the commit. */
export async function useInvitation(db: Db, codeHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "use-invitation",
    text: `update account.invitation set used = used + 1
           where code_hash = $1 and used < uses and expires_at > now()`,
    values: [codeHash],
  });
  return rowCount === 1;
}

/** Deletes an invitation; false when none has that id. */
export async function deleteInvitation(db: Db, id: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "delete-invitation",
    text: `delete from account.invitation where invitation_id = $1 and expires_at > now()`,
    values: [id],
  });
  return rowCount === 1;
}

/** Deletes invitations that have expired. */
export async function deleteExpiredInvitations(db: Db): Promise<void> {
  await db.query({
    name: "delete-expired-invitations",
    text: `delete from account.invitation where expires_at <= now()`,
  });
}

const columns = `invitation_id as "id", uses, used, created_at as "createdAt", expires_at as "expiresAt"`;
