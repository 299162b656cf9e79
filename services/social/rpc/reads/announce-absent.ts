import type { SocialContext } from "../../context.ts";
import { authorSubject, subjectKeys } from "../../domain/subjects.ts";
import { listNames } from "../../store/profiles/list-names.ts";

/**
 * Announces users who were found or asked for by id and are left out, since they are suspended or deleted. The gateway announces those who
 * were asked for by name; it does not know the names of the others.
 * @param users those of them who have a profile
 */
export async function announceAbsent(
  { pool, freshness }: SocialContext,
  userIds: readonly bigint[],
  users: readonly { user_id: bigint; screen_name: string; former_name: string | null; suspended: boolean }[],
): Promise<void> {
  if (userIds.length === 0) return;
  const found = new Set(users.map((user) => user.user_id));
  const deleted = userIds.filter((id) => !found.has(id));
  const absent = users.filter(({ suspended }) => suspended).map(authorSubject);
  if (deleted.length > 0) absent.push(...(await listNames(pool, deleted)).map(authorSubject));
  if (absent.length > 0) await freshness.announceStates(absent.flatMap(subjectKeys));
}
