import { create } from "@bufbuild/protobuf";
import { RegistrationResponseSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import type { Account } from "../store/insert-registered.ts";

/** The public answer to a registration: an empty responseStatus says that all went well. */
export function registrationResponse(account: Account, sessionId: string, target: string | undefined) {
  return create(RegistrationResponseSchema, {
    userId: account.userId,
    sessionId,
    userName: account.userName,
    referrerUrl: target,
    responseStatus: {},
  });
}
