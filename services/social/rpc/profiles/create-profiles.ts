import { create } from "@bufbuild/protobuf";
import {
  type CreateProfilesRequest,
  CreateProfilesResponseSchema,
} from "../../../../proto/gen/social/v1/profile_service_pb.ts";
import { invalid } from "../../../platform/errors.ts";
import type { SocialContext } from "../../context.ts";
import { type NewProfile, parseNewProfile } from "../../domain/new-profile.ts";
import { assertingFound, authorSubject, viewerSubject } from "../../domain/subjects.ts";
import { insertProfiles } from "../../store/profiles/insert-profiles.ts";
import { write } from "../write.ts";

/** Creates the profiles of several accounts in one transaction, or none of them. Repeating it changes nothing. */
export async function createProfiles(ctx: SocialContext, { profiles }: CreateProfilesRequest) {
  if (profiles.length > maxProfiles) {
    throw invalid("profiles", "Length", `'Profiles' must have at most ${maxProfiles} entries.`);
  }
  if (new Set(profiles.map(({ userId }) => userId)).size < profiles.length) {
    throw invalid("profiles", "Equal", "'Profiles' must be of different users.");
  }
  await addProfiles(ctx, profiles.map(parseNewProfile));
  return create(CreateProfilesResponseSchema);
}

const maxProfiles = 100;

/** Adds profiles of different users, where they have none and are not deleted. */
export async function addProfiles(ctx: SocialContext, profiles: readonly NewProfile[]): Promise<void> {
  const isCluster = await ctx.isCluster();
  const userIds = profiles.map(({ userId }) => userId);
  await write(ctx, userIds, async ({ db }) => {
    await insertProfiles(db, profiles, isCluster);
    const subjects = profiles.flatMap(({ userId, screenName }) => [
      authorSubject({ screen_name: screenName }),
      viewerSubject({ user_id: userId }),
    ]);
    return assertingFound(subjects, undefined);
  });
}
