import type { HandlerContext } from "@connectrpc/connect";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import { endSessionsOf } from "../store/end-sessions.ts";
import { updatePassword } from "../store/update-password.ts";
import { provePassword } from "./prove-password.ts";

/** A user's current password, and the new one. */
export interface PasswordChange {
  userId: bigint;
  oldPassword: string;
  newPassword: string;
  /** The session that stays; empty for none. */
  sessionId: string;
}

/**
 * Replaces a user's password, and ends all sessions but one. False when the old password is wrong, or was changed meanwhile.
 * @param note runs in the same transaction, under the lock of the account; gets the version of the new password
 * @throws ResourceExhausted with the seconds to wait, and what `note` throws
 */
export async function replacePassword(
  ctx: AccountContext,
  { userId, oldPassword, newPassword, sessionId }: PasswordChange,
  call: HandlerContext,
  note: (db: Db, version: number) => Promise<void> = async () => {},
): Promise<boolean> {
  const proof = await provePassword(ctx, userId, call, async (credentials, { isRight, hash }) => {
    if (credentials === undefined || !(await isRight(oldPassword, credentials.passwordHash))) return undefined;
    return { ...credentials, newHash: await hash(newPassword) };
  });
  if (proof === undefined) return false;
  return transaction(ctx.pool, async (db) => {
    if (!(await updatePassword(db, proof, proof.newHash))) return false;
    await note(db, proof.passwordVersion + 1);
    await endSessionsOf(db, userId, sessionId === "" ? undefined : sessionIdHash(sessionId));
    return true;
  });
}
