import { randomBytes, randomUUID } from "node:crypto";
import { viewerHeader } from "../../services/platform/connect/identity.ts";
import { UserError } from "../errors.ts";
import { findUser } from "../find-user.ts";
import { counted } from "../reporter.ts";
import { isSuspended } from "./accounts.ts";
import { type AccountCommandContext, readLine, timeOfContract, writeSecret } from "./context.ts";

/** Suspends a user and ends all sessions. After an interruption the same command continues. */
export async function suspend(context: AccountCommandContext, name: string): Promise<void> {
  const { clients, out } = context;
  const { userId, userName } = await findUser(clients, name);
  await untilComplete(context, (afterUserId) => clients.moderation.suspend({ userId, afterUserId }));
  const { ended } = await clients.operator.endSessions({ userId });
  out.write(`${userName} is suspended, ${counted(ended, "session")} ended\n`);
}

/** Ends a suspension. For a user who is not suspended only reposts that an interrupted call left are processed. */
export async function reinstate(context: AccountCommandContext, name: string): Promise<void> {
  const { clients, out } = context;
  const { userId, userName } = await findUser(clients, name);
  const wasSuspended = await isSuspended(clients, userId);
  await untilComplete(context, (afterUserId) => clients.moderation.reinstate({ userId, afterUserId }));
  out.write(`${userName} ${wasSuspended ? "is not suspended any more" : "was not suspended: nothing has changed"}\n`);
}

/** Repeats the call until all users who reposted this one are processed. */
async function untilComplete(
  { onStop }: AccountCommandContext,
  call: (afterUserId: bigint) => Promise<{ nextAfterUserId: bigint }>,
): Promise<void> {
  onStop(
    () => "For up to two minutes reposts by others may be shown as before. Run the same command again to continue now.",
  );
  let afterUserId = 0n;
  do {
    ({ nextAfterUserId: afterUserId } = await call(afterUserId));
  } while (afterUserId !== 0n);
  onStop(() => "");
}

/** Sets whether a user is shown as verified: the operator has checked who it is. */
export async function setVerified(
  { clients, out }: AccountCommandContext,
  name: string,
  verified: boolean,
): Promise<void> {
  const { userId, userName } = await findUser(clients, name);
  const request = { userId, verified, requestId: randomUUID() };
  await clients.profiles.setVerified(request);
  out.write(`${userName} is ${verified ? "" : "not "}verified\n`);
}

/** Sets a user's password and ends all sessions. The password is random and printed on `out`, or the first line of the input. */
export async function resetPassword(
  { clients, out, err, input }: AccountCommandContext,
  name: string,
  fromStdin: boolean,
) {
  const { userId, userName } = await findUser(clients, name);
  const newPassword = await passwordFrom(input, fromStdin);
  await clients.operator.resetPassword({ userId, newPassword });
  err.write(`${userName} has another password, and all sessions are ended.\n`);
  if (!fromStdin) await writeSecret(out, newPassword);
}

/**
 * Gives an imported user an account, once: a first password, as resetPassword does, and an e-mail address if there is one. The operator has
 * checked whose the account is.
 */
export async function claim(
  { clients, out, err, input }: AccountCommandContext,
  name: string,
  { stdin: fromStdin = false, email = "" }: { stdin?: boolean; email?: string },
): Promise<void> {
  const { userId, userName, claimed } = await findUser(clients, name);
  if (claimed) throw new UserError(`${userName} has an owner already. Nothing was changed.`);
  const password = await passwordFrom(input, fromStdin);
  await clients.account.claimAccount({ userId, password, email });
  err.write(`${userName} can sign in now.\n`);
  if (!fromStdin) await writeSecret(out, password);
}

async function passwordFrom(input: NodeJS.ReadableStream, fromStdin: boolean): Promise<string> {
  const password = fromStdin ? await readLine(input) : randomPassword();
  if (password === "") throw new UserError("Standard input holds no password. Nothing was changed.");
  return password;
}

/** 120 random bits in 20 characters, which a person can type. */
function randomPassword(): string {
  return randomBytes(15).toString("base64url");
}

/** Lists a user's sessions, or ends all of them. */
export async function userSessions(
  { clients, out }: AccountCommandContext,
  name: string,
  ends: boolean,
): Promise<void> {
  const { userId, userName } = await findUser(clients, name);
  if (ends) {
    const { ended } = await clients.operator.endSessions({ userId });
    out.write(`${counted(ended, "session")} of ${userName} ended\n`);
    return;
  }
  const headers = { [viewerHeader]: `${userId}` };
  const { results } = await clients.people.sessions({ userId }, { headers });
  for (const { createdAt, expiresAt } of results)
    out.write(`since ${timeOfContract(createdAt)}, until ${timeOfContract(expiresAt)}\n`);
  out.write(`${counted(results.length, "session")} of ${userName}\n`);
}

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
