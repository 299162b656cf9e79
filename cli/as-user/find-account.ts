import type { Client } from "@connectrpc/connect";
import type { ProfileResult } from "../../proto/gen/social/v1/profiles_pb.ts";
import type { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { callWithRetries } from "../call.ts";
import { noSuchUser } from "../user-error.ts";

/**
 * The profile of a screen name, in any case.
 * @throws UserError when there is none.
 */
export async function findAccount(social: Client<typeof SocialService>, name: string): Promise<ProfileResult> {
  const { results } = await callWithRetries("SocialUsers", () => social.socialUsers({ screenNames: [name] }));
  const [user] = results;
  if (user === undefined) throw noSuchUser(name);
  return user;
}
