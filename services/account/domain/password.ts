import { hash } from "@node-rs/argon2";
import { type BadField, badField } from "../../platform/errors.ts";

/** The most bytes that are hashed: enough for any passphrase, too few to keep a core busy. */
const maxBytes = 1_024;

/** Checks a password before any work is spent on it. `minLength` counts code points. */
export function checkPassword(password: string, minLength: number): BadField | undefined {
  // The byte length first: counting code points of a megabyte would be work.
  if (Buffer.byteLength(password) > maxBytes) {
    return badField("password", "Length", `'Password' must be ${maxBytes} bytes or fewer.`);
  }
  if ([...password].length < minLength) {
    return badField("password", "Length", `'Password' must be at least ${minLength} characters.`);
  }
  return undefined;
}

/** Argon2id (the library's default) in PHC form with OWASP's parameters (19 MiB, 2 passes); about 13 ms of one core. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}
