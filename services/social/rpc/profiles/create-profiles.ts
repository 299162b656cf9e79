import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type CreateProfileRequest,
  type CreateProfilesRequest,
  CreateProfilesRequestSchema,
  CreateProfilesResponseSchema,
} from "../../../../proto/gen/social/v1/profile_service_pb.ts";
import { invalid, refuseFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import { idEpoch, isId } from "../../../platform/rules/ids.ts";
import { isScreenName, nameKey } from "../../../platform/rules/screen-name.ts";
import { holdsNul } from "../../../platform/storable.ts";
import type { SocialContext } from "../../context.ts";
import { badUserId } from "../../domain/errors.ts";
import { insertProfiles, type NewProfile } from "../../store/profiles/insert-profiles.ts";
import { write } from "../write.ts";

/** Creates the profiles of several accounts in one transaction, or none of them. Repeating it changes nothing. */
export async function createProfiles(ctx: SocialContext, request: CreateProfilesRequest) {
  const { profiles } = request;
  refuseFields([tooManyEntries(CreateProfilesRequestSchema, request)]);
  if (new Set(profiles.map(({ userId }) => userId)).size < profiles.length) {
    throw invalid("profiles", "Equal", "'Profiles' must be of different users.");
  }
  if (new Set(profiles.map(({ screenName }) => nameKey(screenName))).size < profiles.length) {
    throw invalid("profiles", "Equal", "'Profiles' must have different names.");
  }
  await addProfiles(ctx, profiles);
  return create(CreateProfilesResponseSchema);
}

/** Adds profiles of different users, where they have none and are not deleted. @throws InvalidArgument */
export async function addProfiles(ctx: SocialContext, requests: readonly CreateProfileRequest[]): Promise<void> {
  const profiles = requests.map(parseProfile);
  const isCluster = await ctx.isCluster();
  const userIds = profiles.map(({ userId }) => userId);
  await write(ctx, userIds, (db) => insertProfiles(db, profiles, isCluster));
}

function parseProfile({ userId, screenName, name, createdAt }: CreateProfileRequest): NewProfile {
  if (!isId(userId)) throw badUserId();
  if (!isScreenName(screenName)) {
    throw invalid("screenName", "RegularExpression", "'Screen Name' is not in the correct format.");
  }
  if (holdsNul(name)) throw invalid("name", "RegularExpression", "'Name' is not in the correct format.");
  const joined = createdAt && timestampDate(createdAt);
  if (joined === undefined || !(joined.getTime() >= idEpoch && joined.getTime() <= Date.now() + clockSkew)) {
    throw invalid("createdAt", "InclusiveBetween", "'Created At' must be between 2006 and now.");
  }
  return { userId, screenName, name, createdAt: joined };
}

/** Milliseconds by which the clock of the account service may be ahead. */
const clockSkew = 24 * 3_600_000;
