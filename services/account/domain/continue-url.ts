import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { type BadField, badField } from "../../platform/errors.ts";
import { compileField } from "../../platform/rules/field-rules.ts";

/** Checks the target of `continue`. `origins` limits URLs to the listed ones; paths are always allowed. */
export function checkContinue(target: string, origins: readonly string[] | undefined): BadField | undefined {
  const bad = checkRules(target);
  if (bad !== undefined || origins === undefined || target.startsWith("/")) return bad;
  return origins.includes(new URL(target).origin) ? undefined : badField("continue", "InvalidUrl", notListed);
}

const checkRules = compileField(RegistrationRequestSchema.field.continue);
const notListed = "'Continue' is not a valid URL.";
