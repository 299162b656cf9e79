import type { SocialContext } from "../../context.ts";
import { listProfiles, type ProfileWithStatus } from "../../store/profiles/list-profiles.ts";
import { findUsers } from "../find-users.ts";

/** The user of a screen name, as the viewer sees them; undefined when no user has it. */
export async function findShownUser(
  ctx: Pick<SocialContext, "knownIds" | "pool">,
  screenName: string,
  viewer: bigint | undefined,
): Promise<ProfileWithStatus | undefined> {
  const [user] = await findUsers(ctx, [], [screenName], (ids, names) => listProfiles(ctx.pool, ids, names, viewer));
  return user;
}
