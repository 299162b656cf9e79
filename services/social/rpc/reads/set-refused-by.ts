import { refusedByHeader } from "../../../platform/connect/identity.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import { isScreenName, nameKey } from "../../../platform/rules/screen-name.ts";
import { listNames } from "../../store/profiles/list-names.ts";

/** Sets the header that names the user of a read, to be called before the read can be refused. @param screenName as the request has it */
export function setRefusedBy(header: Headers, screenName: string): void {
  if (isScreenName(screenName)) header.append(refusedByHeader, nameKey(screenName));
}

/** The same for a user with this id, who may be deleted. */
export async function setRefusedById(db: Db, header: Headers, userId: bigint): Promise<void> {
  for (const { screen_name } of await listNames(db, [userId])) setRefusedBy(header, screen_name);
}
