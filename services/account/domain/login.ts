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
 * Parses what a user typed or pasted to sign in, also `@name`, and with blanks around it and invisible marks in it. Undefined when no user name
 * or e-mail address can have this form: too long, or with a NUL character.
 */
export function parseLogin(userNameOrEmail: string): Login | undefined {
  // Lengths are counted in code points, each of which may take two UTF-16 units.
  if (userNameOrEmail.length > maxTyped || userNameOrEmail.includes("\u0000")) return undefined;
  // No name and no address has a format character, such as a direction mark or a zero-width space.
  const text = userNameOrEmail
    .replace(/\p{Cf}+/gu, "")
    .trim()
    .replace(/^@(?=[^@]*$)/, "");
  if (text === "" || text.length > 2 * 254) return undefined;
  if (!text.includes("@")) return { column: "name_key", key: nameKey(text), exactKey: text };
  const exactKey = exactEmailKey(userNameOrEmail.trim());
  return { column: "email_key", key: emailKey(text) ?? exactKey, exactKey };
}

/** UTF-16 units: an address with as many marks and blanks. */
const maxTyped = 4 * 254;

/** The key under which attempts for a user name or an e-mail address are counted, however it is spelled. */
export function loginKey(userNameOrEmail: string): string {
  return parseLogin(userNameOrEmail)?.key ?? userNameOrEmail;
}
