import { create } from "@bufbuild/protobuf";
import {
  type RevokeInvitationRequest,
  RevokeInvitationResponseSchema,
} from "../../../../proto/gen/account/v1/operator_service_pb.ts";
import { notFound } from "../../../platform/errors.ts";
import type { AccountContext } from "../../context.ts";
import { deleteInvitation } from "../../store/invitations.ts";

/** Ends an invitation. Accounts that were made with it stay. */
export async function revokeInvitation(ctx: AccountContext, { id }: RevokeInvitationRequest) {
  if (!(await deleteInvitation(ctx.pool, id))) throw notFound("There is no such invitation, or none any more.");
  return create(RevokeInvitationResponseSchema);
}
