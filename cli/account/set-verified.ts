import { randomUUID } from "node:crypto";
import { callWithRetries } from "../call.ts";
import type { AccountSession } from "./account-session.ts";
import { findUser } from "./find-user.ts";

/** Says whether the operator has checked who a user is. */
export async function setVerified({ clients, out }: AccountSession, name: string, verified: boolean): Promise<number> {
  const { userId, userName } = await findUser(clients, name);
  const request = { userId, verified, requestId: randomUUID() };
  await callWithRetries("SetVerified", () => clients.profiles.setVerified(request));
  out.write(`${userName} is ${verified ? "" : "not "}verified\n`);
  return 0;
}
