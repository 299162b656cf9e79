import { permissionDenied } from "../../platform/errors.ts";
import type { Db } from "../../platform/postgres/pool.ts";
import type { AccountContext } from "../context.ts";
import { invitationHash } from "../domain/invitation.ts";
import { isUsable, useInvitation } from "../store/invitations.ts";

/** Whether the setting SIGN_UP lets one registration in. */
export interface WayIn {
  isOpen(): Promise<boolean>;
  /**
   * To be called in the transaction that adds the account: an invitation lets in as many as it is for, however many present
   * it at once. @throws PermissionDenied when it is used up by now
   */
  use(db: Db): Promise<void>;
  /** PermissionDenied, in words. */
  refusal(): Error;
}

/**
 * The way in of a registration. An invitation is the header `x-invitation`, since the interface's request has no field for one
 * (docs/decisions/invitations.md). Where none is asked for it is not looked at, and not used up.
 */
export function wayIn({ config: { signUp }, pool }: AccountContext, header: Headers): WayIn {
  if (signUp !== "invite") {
    const refusal = () => permissionDenied("Registration is closed here.");
    return { isOpen: async () => signUp === "open", use: async () => {}, refusal };
  }
  const codeHash = invitationHash(header.get("x-invitation") ?? "");
  const refusal = () => permissionDenied("To register here an invitation is needed that still counts.");
  return {
    isOpen: () => isUsable(pool, codeHash),
    async use(db) {
      if (!(await useInvitation(db, codeHash))) throw refusal();
    },
    refusal,
  };
}
