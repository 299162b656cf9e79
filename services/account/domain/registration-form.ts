import { randomInt } from "node:crypto";
import { type RegistrationRequest, RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { rules } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { type BadField, badField } from "../../platform/errors.ts";
import { readOption } from "../../platform/read-option.ts";
import { compileField, isBlank, malformedField } from "../../platform/rules/field-rules.ts";
import { compileRules, inFieldOrder } from "../../platform/rules/request-rules.ts";
import { isAllowedForNewUser, nameKey } from "../../platform/rules/screen-name.ts";
import type { AccountConfig } from "../config.ts";
import { emailKey } from "./email.ts";
import { checkNewPassword } from "./password.ts";

/** A registration whose fields break no rule of contract §6. Its names may still be taken. */
export interface RegistrationForm {
  /** Undefined: to be derived. */
  userName: string | undefined;
  firstName: string;
  lastName: string;
  /** Empty: the user name. */
  displayName: string;
  email: string | undefined;
  /** Undefined as well where the address is bad. */
  emailKey: string | undefined;
  password: string;
  autoLogin: boolean;
  continue: string | undefined;
}

/** Parses the form. `bad` holds what is wrong, one entry per field; the fields that it names must not be used. */
export function parseRegistration(request: RegistrationRequest, config: AccountConfig) {
  const email = unlessBlank(request.email);
  const target = unlessBlank(request.continue);
  const bad = inFieldOrder(RegistrationRequestSchema, [
    ...checkRules(request),
    // Rules that depend on settings, which the gateway does not know.
    checkReserved(request.userName, config.reservedNames),
    checkNewPassword(request.password, config.passwords.minLength),
    target === undefined ? undefined : checkContinue(target, config.continueOrigins),
  ]);

  const form: RegistrationForm = {
    userName: unlessBlank(request.userName),
    firstName: unlessBlank(request.firstName) ?? "",
    lastName: unlessBlank(request.lastName) ?? "",
    displayName: unlessBlank(request.displayName) ?? fullName(request),
    email,
    emailKey: email && emailKey(email),
    password: request.password,
    autoLogin: request.autoLogin,
    continue: target,
  };
  return { form, bad };
}

const checkRules = compileRules(RegistrationRequestSchema);

function fullName({ firstName, lastName }: RegistrationRequest): string {
  return [...`${firstName} ${lastName}`.trim()].slice(0, personalNameMaxLength).join("");
}

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

/** The most code points that firstName, lastName and displayName may have. */
export const personalNameMaxLength = readOption(RegistrationRequestSchema.field.displayName, rules).maxLength;

/** Checks the target of `continue`. `origins` limits URLs to the listed ones; paths are always allowed. */
export function checkContinue(target: string, origins: readonly string[] | undefined): BadField | undefined {
  const bad = checkTarget(target);
  if (bad !== undefined || origins === undefined || target.startsWith("/")) return bad;
  return origins.includes(new URL(target).origin) ? undefined : badField("continue", "InvalidUrl", notListed);
}

const checkTarget = compileField(RegistrationRequestSchema.field.continue);
const notListed = "'Continue' is not a valid URL.";

/** The text, or undefined when it is empty or holds only blanks (contract §2). */
export function unlessBlank(text: string): string | undefined {
  return isBlank(text) ? undefined : text;
}

/** Whether a new user may have this name, by Registration's rules and the setting RESERVED_NAMES. */
export function isFreeForNewUser(userName: string, reservedNames: ReadonlySet<string>): boolean {
  return isAllowedForNewUser(userName) && !reservedNames.has(nameKey(userName));
}

/** The fault of a user name that the setting reserves: the same as of one that the contract reserves. */
function checkReserved(userName: string, reservedNames: ReadonlySet<string>): BadField | undefined {
  return reservedNames.has(nameKey(userName)) ? malformedField("userName") : undefined;
}
