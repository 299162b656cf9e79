import { randomInt } from "node:crypto";
import type { RegistrationForm } from "./registration-form.ts";
import { isFreeForNewUser } from "./user-name.ts";

/**
 * User names to try for a registration that has only an e-mail address: first without a number, then with ever longer ones. They
 * are never derived from the address, which is private (contract §6).
 */
export function* derivedNames(
  form: Pick<RegistrationForm, "displayName" | "firstName" | "lastName">,
  reservedNames: ReadonlySet<string>,
) {
  const base = slug(form.displayName) || slug(`${form.firstName} ${form.lastName}`) || "user";
  if (base !== "user" && isFreeForNewUser(base, reservedNames)) yield base;
  for (let digits = 2; digits <= 9; digits++) {
    const name = `${base}${randomInt(10 ** (digits - 1), 10 ** digits)}`;
    if (!reservedNames.has(name)) yield name;
  }
}

// Leaves room for nine digits within 36 characters. NFKD splits accents off, which are then dropped.
function slug(name: string): string {
  const ascii = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return ascii
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 27);
}
