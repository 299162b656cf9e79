import { create } from "@bufbuild/protobuf";
import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { UpdateProfileRequest } from "../../../../proto/gen/social/people/v1/profile_pb.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import type { SocialContext } from "../../context.ts";
import { otherVersion } from "../../domain/errors.ts";
import { readOwnProfile } from "../../domain/own-profile.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import { lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { updateProfileRow } from "../../store/profiles/update-profile.ts";
import { profileResult } from "../../views/profile-result.ts";
import { restrictReposts } from "../statuses/mark-reposts.ts";
import { writeOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";
import { missingActor } from "./missing-actor.ts";

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
