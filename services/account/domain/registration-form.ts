import type { RegistrationRequest } from "../../../proto/gen/account/v1/registration_pb.ts";
import { type BadField, badField } from "../../platform/errors.ts";
import type { AccountConfig } from "../config.ts";
import { filled } from "./blank.ts";
import { checkContinue } from "./continue-url.ts";
import { checkEmail, emailKey } from "./email.ts";
import { checkPassword } from "./password.ts";
import { checkPersonalName, personalNameMaxLength } from "./personal-name.ts";
import { checkUserName } from "./user-name.ts";

/** A registration whose fields keep every rule of contract §6, but for names that may be taken. */
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

/** The form with what is wrong in it, in the order of the request's table; fields named in `bad` are not to be used. */
export function parseRegistration(request: RegistrationRequest, config: AccountConfig) {
  const userName = filled(request.userName);
  const email = filled(request.email);
  const target = filled(request.continue);
  const nameless = userName === undefined && email === undefined;

  const bad = [
    nameless ? empty("userName", "User Name") : userName && checkUserName(userName),
    checkPersonalName("firstName", "First Name", request.firstName),
    checkPersonalName("lastName", "Last Name", request.lastName),
    checkPersonalName("displayName", "Display Name", request.displayName),
    nameless ? empty("email", "Email") : email && checkEmail(email),
    checkPassword(request.password, config.passwords.minLength),
    target && checkContinue(target, config.continueOrigins),
  ].filter((fault): fault is BadField => typeof fault === "object");

  const form: RegistrationForm = {
    userName,
    firstName: filled(request.firstName) ?? "",
    lastName: filled(request.lastName) ?? "",
    displayName: filled(request.displayName) ?? fullName(request),
    email,
    emailKey: email && emailKey(email),
    password: request.password,
    autoLogin: request.autoLogin,
    continue: target,
  };
  return { form, bad };
}

function empty(fieldName: string, label: string): BadField {
  return badField(fieldName, "NotEmpty", `'${label}' should not be empty.`);
}

function fullName({ firstName, lastName }: RegistrationRequest): string {
  return [...`${firstName} ${lastName}`.trim()].slice(0, personalNameMaxLength).join("");
}
