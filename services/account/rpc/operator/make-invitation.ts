import { create } from "@bufbuild/protobuf";
import {
  type MakeInvitationRequest,
  MakeInvitationResponseSchema,
} from "../../../../proto/gen/account/v1/operator_service_pb.ts";
import { badField, refuseFields } from "../../../platform/errors.ts";
import { fieldLabel } from "../../../platform/rules/field-label.ts";
import type { AccountContext } from "../../context.ts";
import { invitationHash, newInvitation } from "../../domain/invitation.ts";
import { insertInvitation } from "../../store/invitations.ts";
import { invitationView } from "../../views/invitation.ts";

/** Makes an invitation to register, and returns its code, which is never shown again. */
export async function makeInvitation(ctx: AccountContext, { uses, maxAge }: MakeInvitationRequest) {
  refuseFields([checkRange("uses", uses, maxUses), checkRange("maxAge", maxAge, maxSeconds)]);
  const invitation = newInvitation();
  const made = await insertInvitation(ctx.pool, invitationHash(invitation), uses, maxAge);
  return create(MakeInvitationResponseSchema, { invitation, made: invitationView(made) });
}

/** Enough for a school. Registrations with one invitation wait for each other. */
const maxUses = 10_000;
/** 400 days, as long as the longest session. */
const maxSeconds = 400 * 24 * 3_600;

function checkRange(field: string, value: number, max: number) {
  if (value >= 1 && value <= max) return undefined;
  return badField(field, "InclusiveBetween", `'${fieldLabel(field)}' must be between 1 and ${max}.`);
}
