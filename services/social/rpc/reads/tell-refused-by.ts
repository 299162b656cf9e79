import { refusedByHeader } from "../../../platform/connect/identity.ts";
import { isScreenName, nameKey } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { listNames } from "../../store/profiles/list-names.ts";

/** Sets the header that names the user of a read, to be called before the read can be refused. @param screenName as the request has it */
export function tellRefusedBy(header: Headers, screenName: string): void {
  if (isScreenName(screenName)) header.append(refusedByHeader, nameKey(screenName));
}

/** Likewise for a user of whom the id is known. */
export async function tellRefusedById({ pool }: SocialContext, header: Headers, userId: bigint): Promise<void> {
  for (const { screen_name } of await listNames(pool, [userId])) tellRefusedBy(header, screen_name);
}
