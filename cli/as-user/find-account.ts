import type { Client } from "@connectrpc/connect";
import type { ProfileResult } from "../../proto/gen/social/v1/profiles_pb.ts";
import type { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { callOnce } from "../import/call.ts";

/** A name that nobody has here. */
export class UnknownUser extends Error {
  override name = "UnknownUser";
}

/**
 * The account that goes by a name, in any case.
 * @throws UnknownUser
 */
export async function findAccount(social: Client<typeof SocialService>, name: string): Promise<ProfileResult> {
  const { results } = await callOnce("SocialUsers", () => social.socialUsers({ screenNames: [name] }));
  const [user] = results;
  if (user === undefined) throw new UnknownUser(`There is no user ${JSON.stringify(name)} here.`);
  return user;
}
