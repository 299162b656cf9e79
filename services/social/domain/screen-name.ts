/** Whether a user could have this screen name: the account service's rule, 1 to 36 characters (contract §6). */
export function isScreenName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,35}$/.test(name) && name.toLowerCase() !== "ids";
}
