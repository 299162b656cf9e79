import type { Db } from "../../../platform/postgres/pool.ts";
import { unknownUser } from "../../domain/errors.ts";
import type { ProfileChange } from "../../domain/profile-change.ts";
import { type LockedProfile, lockProfiles } from "../../store/profiles/lock-profiles.ts";
import { updateProfileRow } from "../../store/profiles/update-profile.ts";
import { userSummary } from "../../views/user-summary.ts";

/**
 * Sets columns of a profile after `check`, and shows the whole with its new version.
 * @throws NotFound for an unknown user, and whatever `check` throws
 */
export async function changeProfile(
  db: Db,
  userId: bigint,
  change: ProfileChange,
  check: (before: LockedProfile) => void = () => {},
) {
  const before = (await lockProfiles(db, [userId])).get(userId);
  if (before === undefined) throw unknownUser();
  check(before);
  const row = await updateProfileRow(db, userId, change);
  return { profile: userSummary(row), version: row.version };
}
