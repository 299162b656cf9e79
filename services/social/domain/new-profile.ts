import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { CreateProfileRequest } from "../../../proto/gen/social/v1/profile_service_pb.ts";
import { invalid } from "../../platform/errors.ts";
import { isScreenName } from "../../platform/rules/screen-name.ts";
import { holdsNul, isId } from "../../platform/storable.ts";
import { badUserId } from "./errors.ts";

/** The profile of a new account. */
export interface NewProfile {
  userId: bigint;
  screenName: string;
  name: string;
  createdAt: Date;
}

/** Reads the account service's data of a user, which that service has checked. @throws InvalidArgument */
export function parseNewProfile({ userId, screenName, name, createdAt }: CreateProfileRequest): NewProfile {
  if (!isId(userId)) throw badUserId();
  if (!isScreenName(screenName)) {
    throw invalid("screenName", "RegularExpression", "'Screen Name' is not in the correct format.");
  }
  if (holdsNul(name)) throw invalid("name", "RegularExpression", "'Name' is not in the correct format.");
  const joined = createdAt && timestampDate(createdAt);
  if (joined === undefined || !(joined.getTime() <= Date.now() + clockSkew)) {
    throw invalid("createdAt", "InclusiveBetween", "'Created At' must be a date in the past.");
  }
  return { userId, screenName, name, createdAt: joined };
}

/** Milliseconds by which the clock of the account service may be ahead. */
const clockSkew = 24 * 3_600_000;
