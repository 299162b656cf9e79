import { nameKey } from "../../platform/rules/screen-name.ts";
import { emailKey, exactEmailKey } from "./email.ts";

/**
 * How to find an account by what a user typed: the column of account.account and its keys. An account that has `exactKey` comes
 * first.
 */
export interface Login {
  column: "name_key" | "email_key";
  key: string;
  exactKey: string;
}

/**
 * Parses what a user typed to sign in. Undefined when no user name or e-mail address can have this form: too long, or with a NUL
 * character.
 */
export function parseLogin(userNameOrEmail: string): Login | undefined {
  const text = userNameOrEmail.trim();
  // Lengths are counted in code points, each of which may take two UTF-16 units.
  if (text === "" || text.length > 2 * 254 || text.includes("\u0000")) return undefined;
  if (!text.includes("@")) return { column: "name_key", key: nameKey(text), exactKey: text };
  const exactKey = exactEmailKey(text);
  return { column: "email_key", key: emailKey(text) ?? exactKey, exactKey };
}

/** The key under which attempts for a user name or an e-mail address are counted, however it is spelled. */
export function loginKey(userNameOrEmail: string): string {
  return parseLogin(userNameOrEmail)?.key ?? userNameOrEmail;
}
