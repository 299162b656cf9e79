import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { PeopleService } from "../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { UpdateProfileRequest } from "../../../proto/gen/social/people/v1/profile_pb.ts";
import {
  type CreateProfileRequest,
  CreateProfileResponseSchema,
  type CreateProfilesRequest,
  CreateProfilesRequestSchema,
  CreateProfilesResponseSchema,
  type DeleteProfileRequest,
  DeleteProfileResponseSchema,
  type GetProfileRequest,
  GetProfileResponseSchema,
  ProfileService,
  type SetVerifiedRequest,
} from "../../../proto/gen/social/v1/profile_service_pb.ts";
import { invalid, refuseFields } from "../../platform/errors.ts";
import { tooManyEntries } from "../../platform/max-entries.ts";
import type { Db } from "../../platform/postgres/pool.ts";
import { idEpoch, isId } from "../../platform/rules/ids.ts";
import { isScreenName, nameKey } from "../../platform/rules/screen-name.ts";
import { holdsNul } from "../../platform/storable.ts";
import type { SocialContext } from "../context.ts";
import { badUserId, otherVersion, suspendedUser, unknownUser } from "../domain/errors.ts";
import { readOwnProfile } from "../domain/profile-fields.ts";
import { namePrefixes } from "../domain/user-query.ts";
import { deleteRelations, deleteUncounted, listRelated, listStatusIds } from "../store/profiles/empty-profile.ts";
import { insertProfiles, type NewProfile } from "../store/profiles/insert-profiles.ts";
import { listProfiles } from "../store/profiles/list-profiles.ts";
import { lockProfiles } from "../store/profiles/lock-profiles.ts";
import { insertRemovedProfile, lockRemovedProfile, removeProfile } from "../store/profiles/removed-profile.ts";
import { updateProfileRow } from "../store/profiles/update-profile.ts";
import { replacePrefixes } from "../store/search/name-prefixes.ts";
import { profileResult } from "../views/profile-result.ts";
import { userSummary } from "../views/user-summary.ts";
import { restrictReposts } from "./mark-reposts.ts";
import { checkRequest, missingActor } from "./people-request.ts";
import { removeStatuses, undoRemoved } from "./remove-statuses.ts";
import { write, writeOnce } from "./write.ts";

/** Creates the profile of an account, whose names the account service has checked. Repeating it changes nothing. */
export async function createProfile(ctx: SocialContext, request: CreateProfileRequest) {
  await addProfiles(ctx, [request]);
  return create(CreateProfileResponseSchema);
}

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
async function addProfiles(ctx: SocialContext, requests: readonly CreateProfileRequest[]): Promise<void> {
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
  return { userId, screenName, name, createdAt: joined, prefixes: namePrefixes(name) };
}

/** Milliseconds by which the clock of the account service may be ahead. */
const clockSkew = 24 * 3_600_000;

/** Shows a profile with the version that UpdateProfile compares. A suspended user's is shown to that user only. */
export async function getProfile(ctx: SocialContext, { userId }: GetProfileRequest, viewer: bigint | undefined) {
  const [row] = await listProfiles(ctx.pool, [userId], [], viewer);
  if (row === undefined) throw unknownUser();
  if (row.suspended && userId !== viewer) throw suspendedUser();
  const profile = userSummary(row, viewer === undefined ? undefined : row);
  return create(GetProfileResponseSchema, { profile, version: row.version });
}

/** Changes the given fields of the actor's own profile, and shows it; without any field it only shows it. */
export async function updateProfile(ctx: SocialContext, request: UpdateProfileRequest) {
  const { userId, ifVersion } = request;
  const method = PeopleService.method.updateProfile;
  checkRequest(method.input, request);
  const change = readOwnProfile(request);
  const isChange = Object.keys(change).length > 0;
  if (!isChange && ifVersion === undefined) return create(method.output, await showOwn(ctx.pool, userId));
  const answer = await writeOnce(ctx, method, request, [userId], async (db) => {
    const actor = (await lockProfiles(db, [userId])).get(userId);
    if (actor === undefined) throw await missingActor(db, userId);
    if (ifVersion !== undefined && actor.version !== ifVersion) throw otherVersion(actor.version);
    if (isChange) await updateProfileRow(db, userId, change);
    const { screen_name: screenName } = actor;
    const { name } = change;
    if (typeof name === "string") await replacePrefixes(db, [{ userId, screenName, prefixes: namePrefixes(name) }]);
    return showOwn(db, userId);
  });
  // Also for a repeated request: its first attempt may have been interrupted here.
  await restrictReposts(ctx, [userId]);
  return answer;
}

async function showOwn(db: Db, userId: bigint) {
  const [row] = await listProfiles(db, [userId], [], userId);
  if (row === undefined) throw await missingActor(db, userId);
  return { results: [profileResult(row, userId, true)], version: row.version };
}

/** Sets whether the operator has verified a user's identity. */
export function setVerified(ctx: SocialContext, request: SetVerifiedRequest) {
  const { userId, verified } = request;
  return writeOnce(ctx, ProfileService.method.setVerified, request, [userId], async (db) => {
    if (!(await lockProfiles(db, [userId])).has(userId)) throw unknownUser();
    const row = await updateProfileRow(db, userId, { verified });
    return { profile: userSummary(row), version: row.version };
  });
}

/** Hides a user at once, then deletes as many of the user's rows as one call can. */
export async function deleteProfile(ctx: SocialContext, { userId }: DeleteProfileRequest) {
  if (!isId(userId)) throw badUserId();
  await write(ctx, [userId], async (db) => {
    await insertRemovedProfile(db, userId);
    await lockProfiles(db, [userId]);
    await removeProfile(db, userId);
  });
  const end = Date.now() + deletionMs;
  let complete = false;
  while (!complete && Date.now() < end) complete = await emptySome(ctx, userId, end);
  return create(DeleteProfileResponseSchema, { complete });
}

/** Milliseconds after which a call answers, complete or not: well before its caller's deadline. */
const deletionMs = 3_000;
const batch = 200;

/**
 * Returns whether nothing is left. Rows that another call is deleting do not count as deleted: each part waits for that call and then looks
 * for what is left.
 */
async function emptySome(ctx: SocialContext, userId: bigint, end: number): Promise<boolean> {
  const statuses = await write(ctx, [userId], async (db) => {
    await lockRemovedProfile(db, userId);
    const ids = await listStatusIds(db, userId, batch);
    return ids.length > 0 ? removeStatuses(db, userId, ids) : ids;
  });
  if (!(await undoRemoved(ctx, userId, end))) return false;
  // Blocks and mutes hide reposts of these statuses from others, so they, and the follows with them, go after the last one.
  if (statuses.length > 0) return false;
  const related = await write(ctx, [userId], async (db) => {
    await lockRemovedProfile(db, userId);
    const others = await listRelated(db, userId, batch);
    if (others.length > 0) {
      await lockProfiles(db, others);
      await deleteRelations(db, userId, others);
    }
    return others.length;
  });
  const uncounted = await write(ctx, [userId], async (db) => {
    await lockRemovedProfile(db, userId);
    return deleteUncounted(db, userId, batch);
  });
  return related + uncounted === 0;
}
