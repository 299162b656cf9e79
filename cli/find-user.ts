import type { Client } from "@connectrpc/connect";
import type { Account } from "../proto/gen/account/v1/account_service_pb.ts";
import type { ProfileResult } from "../proto/gen/social/v1/profiles_pb.ts";
import type { SocialService } from "../proto/gen/social/v1/social_service_pb.ts";
import { isNotFound } from "./call.ts";
import { UserError } from "./errors.ts";
import type { Clients } from "./import/services.ts";

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

/**
 * The account of a user name or an e-mail address, in any case. Asks the account service, since the social service does not
 * show suspended users.
 * @throws UserError when there is none
 */
export async function findUser({ operator }: Clients, name: string): Promise<Account> {
  try {
    const { account } = await operator.findAccount({ userNameOrEmail: name });
    if (account !== undefined) return account;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  throw new UserError(`There is no user ${JSON.stringify(name)} here.`);
}
