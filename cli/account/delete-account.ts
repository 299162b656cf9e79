import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { UserError } from "../user-error.ts";
import type { AccountCommandContext } from "./account-command-context.ts";
import { findUser } from "./find-user.ts";
import { readLine } from "./read-line.ts";

/**
 * Deletes an account and all that its user wrote, after the operator has typed its name again.
 * @param isConfirmed skips that question
 */
export async function deleteAccount(context: AccountCommandContext, name: string, isConfirmed: boolean): Promise<void> {
  const { clients, out, err, input } = context;
  const { userId, userName } = await findUser(clients, name);
  if (!isConfirmed) {
    err.write(`${userName} (user ${userId}) and everything that they wrote is deleted for good.\nType the name: `);
    if ((await readLine(input)).trim() !== userName) throw new UserError("That is not the name. Nothing was deleted.");
  }
  const headers = { [viewerHeader]: `${userId}` };
  const { deletion } = await clients.account.deleteAccount({ userId }, { headers });
  out.write(`${userName} is deleted\n`);
  if (!deletion?.complete) out.write("what they wrote is still being deleted; the name is free when that is done\n");
}
