import type { ConnectError } from "@connectrpc/connect";
import { signInFirst, unavailable } from "../../../platform/errors.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { isRemoved } from "../../store/profiles/is-removed.ts";
import { setRefusedById } from "../reads/set-refused-by.ts";

/**
 * The error for an actor without a profile: Unavailable for a user who has just registered, whose profile will follow (contract
 * §6); Unauthenticated for a deleted user, whose session ended after the request came in.
 * @param header of the reply to a read, which then names the user. A write announces all users that it looks up itself.
 */
export async function missingActor(db: Db, userId: bigint, header?: Headers): Promise<ConnectError> {
  if (header !== undefined) await setRefusedById(db, header, userId);
  return (await isRemoved(db, userId)) ? signInFirst() : unavailable();
}
