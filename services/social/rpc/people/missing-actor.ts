import type { ConnectError } from "@connectrpc/connect";
import { signInFirst, unavailable } from "../../../platform/errors.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { isRemoved } from "../../store/profiles/is-removed.ts";

/**
 * What an actor without a profile is told. That of a user who has just registered follows by itself (contract §6): Unavailable.
 * That of a deleted user is gone, and the session with it, though it counted when the request came in: Unauthenticated.
 */
export async function missingActor(db: Db, userId: bigint): Promise<ConnectError> {
  return (await isRemoved(db, userId)) ? signInFirst() : unavailable();
}
