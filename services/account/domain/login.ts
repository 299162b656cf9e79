import { nameKey } from "../../platform/rules/screen-name.ts";
import { emailKey, exactEmailKey } from "./email.ts";

/** What a person typed to be found by, as the keys of a column of account.account; an account that has `exactKey` comes first. */
export interface Login {
  by: "userName" | "email";
  key: string;
  exactKey: string;
}

/**
 * What a person typed to be found by, or undefined when no user name or e-mail address can look like that: too long, or
 * holding what Postgres does not compare.
 */
export function parseLogin(userNameOrEmail: string): Login | undefined {
  const text = userNameOrEmail.trim();
  // Lengths are counted in code points, of which one may take two units.
  if (text === "" || text.length > 2 * 254 || text.includes("\u0000")) return undefined;
  if (!text.includes("@")) return { by: "userName", key: nameKey(text), exactKey: text };
  const exactKey = exactEmailKey(text);
  return { by: "email", key: emailKey(text) ?? exactKey, exactKey };
}

/** By what attempts for a user name or an e-mail address are counted, however it is spelled. */
export function loginKey(userNameOrEmail: string): string {
  return parseLogin(userNameOrEmail)?.key ?? userNameOrEmail;
}
