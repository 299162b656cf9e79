import { isScreenName } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { listProfiles, type ProfileWithStatus } from "../../store/profiles/list-profiles.ts";

/** The user of a screen name, as the viewer sees them; undefined when no user has it. */
export async function findShownUser(
  { pool }: SocialContext,
  screenName: string,
  viewer: bigint | undefined,
): Promise<ProfileWithStatus | undefined> {
  const [user] = isScreenName(screenName) ? await listProfiles(pool, [], [screenName], viewer) : [];
  return user;
}
