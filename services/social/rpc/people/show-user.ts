import type { Db } from "../../../platform/postgres/pool.ts";
import { type Asserted, asserting, authorSubject, type Subject, viewerSubject } from "../../domain/subjects.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import type { LockedProfile } from "../../store/profiles/lock-profiles.ts";
import { shownUsers } from "../shown-users.ts";

/**
 * Answers a write between an actor and a user, whose rows are locked: the user as the actor sees them now.
 * @param others further subjects whose state the answer asserts, besides the two users and the actor as a viewer
 */
export async function showUser(
  db: Db,
  actor: LockedProfile,
  user: LockedProfile,
  others: readonly Subject[] = [],
): Promise<Asserted<UserAnswer>> {
  const rows = await listProfiles(db, [user.user_id], [], actor.user_id);
  const results = shownUsers(rows, actor.user_id);
  return asserting([authorSubject(actor), viewerSubject(actor), authorSubject(user), ...others], { results });
}

interface UserAnswer {
  results: ReturnType<typeof shownUsers>;
}
