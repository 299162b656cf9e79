import { permissionDenied } from "../../platform/errors.ts";
import type { Db } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import { invitationHash } from "../domain/invitation.ts";
import { isUsable, useInvitation } from "../store/invitations.ts";

/** Whether the setting SIGN_UP allows one registration. */
export interface SignUp {
  isOpen(): Promise<boolean>;
  /**
   * To be called in the transaction that adds the account. Counts the use of an invitation, also when many present it at once.
   * Undefined where no invitation is needed.
   * @throws PermissionDenied when it is used up by now
   */
  use?(db: Db): Promise<void>;
  /** PermissionDenied, with the reason. */
  refusal(): Error;
}

/**
 * How a registration may be made. An invitation is in the header `x-invitation`, since the interface's request has no field for
 * one (docs/decisions/filled-by-the-gateway.md). Unless SIGN_UP is `invite` it is ignored and not used up.
 */
export function signUpOf({ config: { signUp }, pool }: AccountContext, header: Headers): SignUp {
  if (signUp !== "invite") {
    const refusal = () => permissionDenied("Registration is closed here.");
    return { isOpen: async () => signUp === "open", refusal };
  }
  const codeHash = invitationHash(header.get("x-invitation") ?? "");
  const refusal = () => permissionDenied("Registration needs a valid invitation.");
  return {
    isOpen: () => isUsable(pool, codeHash),
    async use(db) {
      if (!(await useInvitation(db, codeHash))) throw refusal();
    },
    refusal,
  };
}
