import { randomUUID } from "node:crypto";
import type { AccountCommandContext } from "./account-command-context.ts";
import { findUser } from "./find-user.ts";

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
