import { permissionDenied, unauthenticated } from "../../platform/errors.ts";

/** Why something of a protected user's is not shown: nobody may say who they are, a viewer may not see it. */
export function unreadable(viewer: bigint | undefined, message: string) {
  return viewer === undefined ? unauthenticated(message) : permissionDenied(message);
}
