import { unknownUser } from "../../domain/errors.ts";
import type { ProfileChange } from "../../domain/profile-change.ts";
import { asserting, authorSubject } from "../../domain/subjects.ts";
import type { LockedProfile } from "../../store/profiles/lock-profiles.ts";
import { updateProfileRow } from "../../store/profiles/update-profile.ts";
import { userSummary } from "../../views/user-summary.ts";
import type { WriteTransaction } from "../write.ts";

/**
 * Sets columns of a profile after `check`, and shows the whole with its new version.
 * @throws NotFound for an unknown user, and whatever `check` throws
 */
export async function changeProfile(
  { db, lock }: WriteTransaction,
  userId: bigint,
  change: ProfileChange,
  check: (before: LockedProfile) => void = () => {},
) {
  const before = (await lock([userId])).get(userId);
  if (before === undefined) throw unknownUser();
  check(before);
  const row = await updateProfileRow(db, userId, change);
  return asserting([authorSubject(row)], { profile: userSummary(row), version: row.version });
}
