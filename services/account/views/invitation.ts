import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Invitation, InvitationSchema } from "../../../proto/gen/account/v1/operator_service_pb.ts";
import type { StoredInvitation } from "../store/invitations.ts";

/** An invitation as an operator sees it: never its code. */
export function invitationView({ createdAt, expiresAt, ...rest }: StoredInvitation): Invitation {
  return create(InvitationSchema, {
    ...rest,
    createdAt: timestampFromDate(createdAt),
    expiresAt: timestampFromDate(expiresAt),
  });
}
