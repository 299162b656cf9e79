import { notFound, unauthenticated } from "../../platform/errors.ts";

export function unknownAccount() {
  return notFound("There is no such account.");
}

/** The one answer to a wrong password, an unknown user and a user who has no password (contract §12.3). */
export function wrongPassword() {
  return unauthenticated("Invalid UserName or Password");
}
