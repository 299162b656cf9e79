import { Code, ConnectError } from "@connectrpc/connect";
import { permissionDenied } from "../../platform/errors.ts";
import type { AccountContext } from "../context.ts";

/**
 * Refuses a write of a user whom the operator has suspended. The social service knows who that is; a user without a profile is not.
 * @throws PermissionDenied `Suspended`; Unavailable or DeadlineExceeded when the social service gives no answer
 */
export async function refuseSuspended({ profiles }: AccountContext, userId: bigint): Promise<void> {
  try {
    await profiles.getProfile({ userId });
  } catch (error) {
    const { code } = ConnectError.from(error);
    // What anonymous callers are refused of a profile is that it is suspended.
    if (code === Code.PermissionDenied) throw permissionDenied("Your account is suspended.", "Suspended");
    if (code !== Code.NotFound) throw error;
  }
}
