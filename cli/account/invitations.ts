import type { Invitation } from "../../proto/gen/account/v1/operator_service_pb.ts";
import { counted } from "../reporter.ts";
import { type AccountCommandContext, timeOf, writeSecret } from "./context.ts";

/** Makes an invitation and prints its code alone on `out`. The code is not stored, so it is never shown again. */
export async function makeInvitation({ clients, out, err }: AccountCommandContext, uses: number, days: number) {
  const request = { uses, maxAge: days * 24 * 3_600 };
  const { invitation, made } = await clients.operator.makeInvitation(request);
  if (made) err.write(`${lineOf(made)}. ${ways}:\n`);
  await writeSecret(out, invitation);
}

const ways = "People follow a link, /join#invitation=CODE; a program presents it in the header X-Invitation";

/** One line for each invitation that has not expired. */
export async function listInvitations({ clients, out }: AccountCommandContext): Promise<void> {
  const { invitations } = await clients.operator.listInvitations({});
  for (const invitation of invitations) out.write(`${lineOf(invitation)}\n`);
  out.write(`${counted(invitations.length, "invitation")}\n`);
}

/** Ends an invitation before its time. */
export async function revokeInvitation({ clients, out }: AccountCommandContext, id: bigint): Promise<void> {
  await clients.operator.revokeInvitation({ id });
  out.write(`invitation ${id} is revoked\n`);
}

function lineOf({ id, uses, used, expiresAt }: Invitation): string {
  return `invitation ${id}: ${used} of ${uses} used, until ${timeOf(expiresAt)}`;
}
