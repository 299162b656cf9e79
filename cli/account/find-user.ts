import type { Account } from "../../proto/gen/account/v1/account_service_pb.ts";
import { isNotFound } from "../call.ts";
import type { Clients } from "../import/services.ts";
import { UserError } from "../user-error.ts";

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
