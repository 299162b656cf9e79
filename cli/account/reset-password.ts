import { randomBytes } from "node:crypto";
import { UserError } from "../user-error.ts";
import type { AccountCommandContext } from "./account-command-context.ts";
import { findUser } from "./find-user.ts";
import { readLine } from "./read-line.ts";
import { writeSecret } from "./write-secret.ts";

/** Sets a user's password and ends all sessions. The password is random and printed on `out`, or the first line of the input. */
export async function resetPassword(
  { clients, out, err, input }: AccountCommandContext,
  name: string,
  fromStdin: boolean,
) {
  const { userId, userName } = await findUser(clients, name);
  const newPassword = fromStdin ? await readLine(input) : randomPassword();
  if (newPassword === "") throw new UserError("Standard input holds no password. Nothing was changed.");
  await clients.operator.resetPassword({ userId, newPassword });
  err.write(`${userName} has another password, and all sessions are ended.\n`);
  if (!fromStdin) await writeSecret(out, newPassword);
}

/** 120 random bits in 20 characters, which a person can type. */
function randomPassword(): string {
  return randomBytes(15).toString("base64url");
}
