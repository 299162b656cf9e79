import type { ConnectError } from "@connectrpc/connect";
import { signInFirst, unavailable } from "../../../platform/errors.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { isRemoved } from "../../store/profiles/is-removed.ts";

/**
 * The error for an actor without a profile: Unavailable for a user who has just registered, whose profile will follow (contract
 * §6); Unauthenticated for a deleted user, whose session ended after the request came in.
 */
export async function missingActor(db: Db, userId: bigint): Promise<ConnectError> {
  return (await isRemoved(db, userId)) ? signInFirst() : unavailable();
}
