/**
 * The token of a subject that does not exist: a viewer id that no user has, a session that is unknown or has ended; and of a suspended
 * author. The same in every epoch, since it names no versions. Do not change it: services and gateways of different releases
 * run together.
 */
export const absentToken = "nobody";

/**
 * The token of a name that no user has. A suspended author has another token, since the timeline is refused with another error.
 * Earlier releases know absentToken only.
 */
export const unknownNameToken = "unknown";

/** The state as lookups show it: unknown and suspended users look the same. */
export function shownState(token: string): string {
  return token === unknownNameToken ? absentToken : token;
}

/** Whether there is no user to show. Many subjects share such a token, so it does not identify the user. */
export function isAbsent(token: string): boolean {
  return shownState(token) === absentToken;
}
