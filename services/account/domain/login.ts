/**
 * What a person typed to be found by, or undefined when no user name or e-mail address can look like that: too long, or
 * holding what Postgres does not compare.
 */
export function parseLogin(userNameOrEmail: string): string | undefined {
  const login = userNameOrEmail.trim();
  // Lengths are counted in code points, of which one may take two units.
  return login !== "" && login.length <= 2 * 254 && !login.includes("\u0000") ? login : undefined;
}

/** By what attempts for a user name or an e-mail address are counted, however it is spelled. */
export function loginKey(userNameOrEmail: string): string {
  return userNameOrEmail.trim().toLowerCase();
}
