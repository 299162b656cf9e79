import { RegistrationRequestSchema } from "../../../proto/gen/account/v1/registration_pb.ts";
import { rules } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../platform/read-option.ts";

/** The most code points that firstName, lastName and displayName may have. */
export const personalNameMaxLength = readOption(RegistrationRequestSchema.field.displayName, rules).maxLength;
