import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type CreateProfileRequest,
  CreateProfileResponseSchema,
} from "../../../../proto/gen/social/v1/profile_service_pb.ts";
import { invalid } from "../../../platform/errors.ts";
import { isScreenName } from "../../../platform/rules/screen-name.ts";
import { holdsNul, isId } from "../../../platform/storable.ts";
import type { SocialContext } from "../../context.ts";
import { badUserId } from "../../domain/errors.ts";
import { asserting, authorSubject, viewerSubject } from "../../domain/subjects.ts";
import { insertProfile } from "../../store/profiles/insert-profile.ts";
import { write } from "../write.ts";

/** Creates the profile of an account, whose names the account service has checked. Repeating it changes nothing. */
export async function createProfile(ctx: SocialContext, request: CreateProfileRequest) {
  const { userId, screenName, name, createdAt } = request;
  if (!isId(userId)) throw badUserId();
  if (!isScreenName(screenName)) {
    throw invalid("screenName", "RegularExpression", "'Screen Name' is not in the correct format.");
  }
  if (holdsNul(name)) throw invalid("name", "RegularExpression", "'Name' is not in the correct format.");
  const joined = createdAt && timestampDate(createdAt);
  if (joined === undefined || !(joined.getTime() <= Date.now() + clockSkew)) {
    throw invalid("createdAt", "InclusiveBetween", "'Created At' must be a date in the past.");
  }
  const isCluster = await ctx.isCluster();
  return write(ctx, [userId], async ({ db }) => {
    await insertProfile(db, { userId, screenName, name, createdAt: joined }, isCluster);
    return asserting(
      [authorSubject({ screen_name: screenName }), viewerSubject({ user_id: userId })],
      create(CreateProfileResponseSchema),
    );
  });
}

/** Milliseconds by which the clock of the account service may be ahead. */
const clockSkew = 24 * 3_600_000;
