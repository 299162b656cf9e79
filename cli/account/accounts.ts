import { Code } from "@connectrpc/connect";
import type { Account } from "../../proto/gen/account/v1/account_service_pb.ts";
import type { ListedAccount } from "../../proto/gen/account/v1/operator_service_pb.ts";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { isNotFound, isOfCode } from "../call.ts";
import { findUser } from "../find-user.ts";
import type { Clients } from "../import/services.ts";
import { counted, printable } from "../reporter.ts";
import { type AccountCommandContext, timeOf, timeOfContract } from "./context.ts";
import { headOf, openReports } from "./reports.ts";

/** One line for each account: the newest, or those that the text finds, at most `take`. */
export async function listAccounts({ clients, out }: AccountCommandContext, search: string, take: number) {
  const { accounts, more } = await clients.operator.searchAccounts({ search, take });
  for (const listed of accounts) if (listed.account) out.write(`${lineOf(listed.account, listed)}\n`);
  out.write(`${counted(accounts.length, "account")}${more ? ", and there are more" : ""}\n`);
}

function lineOf(account: Account, { deletionRequestedAt }: ListedAccount): string {
  const { userName, userId, email = "no e-mail address", createdAt, claimed } = account;
  const parts = [`${userName} (user ${userId})`, email, `since ${timeOf(createdAt)}`];
  if (deletionRequestedAt) parts.push(`deletion begun ${timeOf(deletionRequestedAt)}`);
  else if (!claimed) parts.push("imported, without an owner");
  return printable(parts.join(", "));
}

/** All that the operator may know of one user. */
export async function showAccount({ clients, out }: AccountCommandContext, name: string): Promise<void> {
  const { account, deletionRequestedAt } = await findListed(clients, name);
  const { userId, userName, email = "–", createdAt, claimed, origin, originId } = account;
  const lines = [`${userName} (user ${userId})`, `e-mail address: ${email}`, `registered: ${timeOf(createdAt)}`];
  if (origin !== undefined)
    lines.push(`imported: from ${origin}, ${originId}${claimed ? "" : ", without an owner so far"}`);
  if (deletionRequestedAt) lines.push(`deletion begun: ${timeOf(deletionRequestedAt)}`);
  lines.push(`open sessions: ${await sessionsOf(clients, userId)}`);
  lines.push(`suspended: ${(await isSuspended(clients, userId)) ? "yes" : "no"}`);
  const reports: string[] = [];
  for await (const report of openReports(clients)) if (report.userId === userId) reports.push(`  ${headOf(report)}`);
  for (const line of [...lines, `open reports: ${reports.length}`, ...reports]) out.write(`${printable(line)}\n`);
}

/** Also a user who is being deleted, whose name is still taken. @throws UserError when there is none */
async function findListed(clients: Clients, name: string) {
  try {
    return { account: await findUser(clients, name), deletionRequestedAt: undefined };
  } catch (error) {
    // The user of exactly this name is the first one.
    const { accounts } = await clients.operator.searchAccounts({ search: name, take: 1 });
    const { account, deletionRequestedAt } = accounts[0] ?? {};
    if (account && account.userName.toLowerCase() === name.toLowerCase()) return { account, deletionRequestedAt };
    throw error;
  }
}

/** How many are open, and when the newest began. The time of the last use of a session is not stored. */
async function sessionsOf({ people }: Clients, userId: bigint): Promise<string> {
  const { results: sessions } = await people.sessions({ userId }, { headers: { [viewerHeader]: `${userId}` } });
  const [newest] = sessions;
  if (newest === undefined) return "0";
  // As many as one call lists.
  return `${sessions.length}${sessions.length < 200 ? "" : " or more"}, the newest since ${timeOfContract(newest.createdAt)}`;
}

/** Whether a user is suspended; one without a profile is not. */
export async function isSuspended({ profiles }: Clients, userId: bigint): Promise<boolean> {
  try {
    await profiles.getProfile({ userId });
  } catch (error) {
    // An anonymous read of a profile is denied only for a suspension.
    if (isOfCode(error, Code.PermissionDenied)) return true;
    if (!isNotFound(error)) throw error;
  }
  return false;
}
