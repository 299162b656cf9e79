import type { HandlerContext } from "@connectrpc/connect";
import type { AccountContext } from "../context.ts";
import { sessionIdHash } from "../domain/session-id.ts";
import { updatePassword } from "../store/update-password.ts";
import { endingSessions } from "./ending-sessions.ts";
import { provePassword } from "./prove-password.ts";

/** A user's own password, and the one that shall take its place. */
export interface PasswordChange {
  userId: bigint;
  oldPassword: string;
  newPassword: string;
  /** The session that stays; empty for none. */
  sessionId: string;
  /** Whether it succeeds, and does nothing, where the new password is the present one already: then it may be asked for again. */
  isRepeatable: boolean;
}

/**
 * Gives a user a new password for the old one, and ends all sessions but one. False when the old one is wrong, or became so
 * meanwhile.
 * @throws ResourceExhausted with the seconds to wait
 */
export async function replacePassword(
  ctx: AccountContext,
  change: PasswordChange,
  call: HandlerContext,
): Promise<boolean> {
  const proof = await prove(ctx, change, call);
  if (proof === undefined) return false;
  const isDone = await endingSessions(ctx, async (db, end) => {
    const { newHash } = proof;
    if (newHash === undefined || !(await updatePassword(db, proof, newHash))) {
      // The call that gave the user the present password may not have announced which sessions that ended.
      await end.alreadyOf(change.userId);
      return proof.isPresent;
    }
    await end.allOf(change.userId, change.sessionId === "" ? undefined : sessionIdHash(change.sessionId));
    return true;
  });
  // Another change came first: that of the same request, or one after which the old password is wrong.
  return isDone || (await prove(ctx, change, call))?.isPresent === true;
}

/** What proves a change: the old password, with the hash of the new one, or that the new one is the present one already. */
function prove(
  ctx: AccountContext,
  { userId, oldPassword, newPassword, isRepeatable }: PasswordChange,
  call: HandlerContext,
) {
  return provePassword(ctx, userId, call, async (credentials, { isRight, hash }) => {
    if (credentials === undefined) return undefined;
    if (await isRight(oldPassword, credentials.passwordHash)) {
      return { ...credentials, newHash: await hash(newPassword), isPresent: false };
    }
    const isPresent = isRepeatable && (await isRight(newPassword, credentials.passwordHash));
    return isPresent ? { ...credentials, newHash: undefined, isPresent } : undefined;
  });
}
