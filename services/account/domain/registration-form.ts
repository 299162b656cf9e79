import { type RegistrationRequest, RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { compileRules, inFieldOrder } from "../../platform/rules/request-rules.ts";
import type { AccountConfig } from "../config.ts";
import { checkContinue } from "./continue-url.ts";
import { emailKey } from "./email.ts";
import { checkNewPassword } from "./password.ts";
import { personalNameMaxLength } from "./personal-name.ts";
import { unlessBlank } from "./unless-blank.ts";
import { checkReserved } from "./user-name.ts";

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
