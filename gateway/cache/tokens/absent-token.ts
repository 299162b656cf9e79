/** The version of a viewer without a profile, and of a session without a user. */
export const absentToken = "absent";

/** The version of a name that no user has. */
export const unknownNameToken = "unknown";

/** The version of a suspended user's name. */
const suspendedToken = "suspended";

/** The state as lookups show it: unknown and suspended users look the same. */
export function shownState(token: string): string {
  return token === unknownNameToken || token === suspendedToken ? absentToken : token;
}

/** Whether there is no user to show. Many subjects share such a token, so it does not identify the user. */
export function isAbsent(token: string): boolean {
  return shownState(token) === absentToken;
}
