import { create } from "@bufbuild/protobuf";
import { ListInvitationsResponseSchema } from "../../../../proto/gen/account/v1/operator_service_pb.ts";
import type { AccountContext } from "../../context.ts";
import { listInvitationRows } from "../../store/invitations.ts";
import { invitationView } from "../../views/invitation.ts";

/** Shows the invitations that have not expired. */
export async function listInvitations(ctx: AccountContext) {
  const invitations = await listInvitationRows(ctx.pool, maxInvitations);
  return create(ListInvitationsResponseSchema, { invitations: invitations.map(invitationView) });
}

/** More than an operator reads; invitations end by themselves. */
const maxInvitations = 1_000;
