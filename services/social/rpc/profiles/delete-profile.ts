import { create } from "@bufbuild/protobuf";
import {
  type DeleteProfileRequest,
  DeleteProfileResponseSchema,
} from "../../../../proto/gen/social/v1/profile_service_pb.ts";
import { isId } from "../../../platform/rules/ids.ts";
import type { SocialContext } from "../../context.ts";
import { badUserId } from "../../domain/errors.ts";
import { deleteRelations, deleteUncounted, listRelated, listStatusIds } from "../../store/profiles/empty-profile.ts";
import { lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { removeProfile } from "../../store/profiles/remove-profile.ts";
import { insertRemovedProfile, lockRemovedProfile } from "../../store/profiles/with-reserved-ids.ts";
import { removeStatuses, undoRemoved } from "../statuses/remove-statuses.ts";
import { write } from "../write.ts";

/** Hides a user at once, then deletes as many of the user's rows as one call can. */
export async function deleteProfile(ctx: SocialContext, { userId }: DeleteProfileRequest) {
  if (!isId(userId)) throw badUserId();
  await write(ctx, [userId], async (db) => {
    await insertRemovedProfile(db, userId);
    await lockProfiles(db, [userId]);
    await removeProfile(db, userId);
  });
  const end = Date.now() + timeoutMs;
  let complete = false;
  while (!complete && Date.now() < end) complete = await emptySome(ctx, userId, end);
  return create(DeleteProfileResponseSchema, { complete });
}

/** Milliseconds after which a call answers, complete or not: well before its caller's deadline. */
const timeoutMs = 3_000;
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
