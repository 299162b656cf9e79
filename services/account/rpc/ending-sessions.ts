import { ConnectError } from "@connectrpc/connect";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import { sessionKey } from "../../platform/redis/freshness-key.ts";
import type { AccountContext } from "../context.ts";
import { endOldestSessions, endSession, endSessionsOf, listEndedSessions } from "../store/end-sessions.ts";

/** Ends sessions in one transaction. */
export interface SessionEnds {
  /** Ends a session; one that does not exist has ended already. */
  one(idHash: Buffer): Promise<void>;
  /** Ends all sessions of a user, except one, if given. Returns how many of them were signed in. */
  allOf(userId: bigint, exceptIdHash?: Buffer): Promise<number>;
  /** Ends the oldest open ones of a user beyond the newest `keep`. */
  oldestOf(userId: bigint, keep: number): Promise<void>;
  /** Ends none, but announces those of a user that another request ended shortly before. */
  alreadyOf(userId: bigint): Promise<void>;
}

/**
 * Runs a transaction that may end sessions, and announces them after the commit and before the answer, so that no gateway considers
 * them open (design §5). A refusal announces them as well: another request may have ended them just before, and caused the refusal.
 */
export async function endingSessions<T>(
  ctx: AccountContext,
  work: (db: Db, end: SessionEnds) => Promise<T>,
): Promise<T> {
  const ended: Buffer[] = [];
  const announce = () => ctx.announcer.announce(ended.map(sessionKey));
  try {
    const answer = await transaction(ctx.pool, (db) => {
      const end: SessionEnds = {
        async one(idHash) {
          ended.push(idHash);
          await endSession(db, idHash);
        },
        async allOf(userId, exceptIdHash) {
          const sessions = await endSessionsOf(db, userId, exceptIdHash);
          for (const { idHash } of sessions) ended.push(idHash);
          return sessions.filter(({ wasOpen }) => wasOpen).length;
        },
        async oldestOf(userId, keep) {
          ended.push(...(await endOldestSessions(db, userId, keep)));
        },
        async alreadyOf(userId) {
          ended.push(...(await listEndedSessions(db, userId)));
        },
      };
      return work(db, end);
    });
    await announce();
    return answer;
  } catch (error) {
    if (error instanceof ConnectError) await announce();
    throw error;
  }
}
