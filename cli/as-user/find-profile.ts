import type { Client } from "@connectrpc/connect";
import type { ProfileResult } from "../../proto/gen/social/v1/profiles_pb.ts";
import type { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { UserError } from "../user-error.ts";

/**
 * The profile of a screen name, in any case.
 * @throws UserError when there is none, or the user is suspended: no read shows suspended users.
 */
export async function findProfile(social: Client<typeof SocialService>, name: string): Promise<ProfileResult> {
  const { results } = await social.socialUsers({ screenNames: [name] });
  const [user] = results;
  if (user === undefined)
    throw new UserError(`There is no user ${JSON.stringify(name)} here, or the user is suspended.`);
  return user;
}
